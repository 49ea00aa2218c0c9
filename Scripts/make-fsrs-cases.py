#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what the `fsrs` package of PyPI (6.3.2) makes of random grades, for the tests of the scheduler.

    Scripts/make-fsrs-cases.py >Tests/ListeningTests/fsrs-cases.json

Each case is a list of reviews: the seconds since the one before, the grade, and after it the phase, the step (-1
for none), the stability, the difficulty and the seconds until it is due.
"""

import json
import random
from datetime import datetime, timedelta, timezone

from fsrs import Card, Rating, Scheduler, State

PHASES = {State.Learning: "learning", State.Review: "known", State.Relearning: "relearning"}


def case(numbers: random.Random, retention: float) -> dict:
    scheduler = Scheduler(enable_fuzzing=False, desired_retention=retention)
    card = Card()
    time = datetime(2026, 1, 1, 8, tzinfo=timezone.utc)
    reviews = []
    for _ in range(numbers.randint(1, 14)):
        kind = numbers.random()
        due = card.due - time if card.last_review else timedelta()
        if kind < 0.5:
            wait = max(due, timedelta())
        elif kind < 0.7:
            wait = timedelta(seconds=numbers.randint(0, 86_400))
        else:
            wait = timedelta(seconds=numbers.randint(0, 90 * 86_400))
        if not card.last_review:
            wait = timedelta()
        time += wait
        grade = numbers.choices([1, 2, 3, 4], [2, 2, 5, 1])[0]
        card, _ = scheduler.review_card(card, Rating(grade), time)
        step = -1 if card.step is None else card.step
        until = int((card.due - time).total_seconds())
        reviews.append(
            [int(wait.total_seconds()), grade, PHASES[card.state], step, round(card.stability, 9), round(card.difficulty, 9), until]
        )
    return {"retention": retention, "reviews": reviews}


def main() -> None:
    numbers = random.Random(6)
    cases = [case(numbers, numbers.choice([0.8, 0.9, 0.9, 0.95])) for _ in range(60)]
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")


main()
