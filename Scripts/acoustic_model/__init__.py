# SPDX-License-Identifier: GPL-3.0-or-later
"""What Scripts/train-acoustic-model.py is made of."""
