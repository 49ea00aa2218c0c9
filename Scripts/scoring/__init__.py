# SPDX-License-Identifier: GPL-3.0-or-later
"""What `Scripts/measure-accuracy.py` counts."""
