"""The oracle as the tests use it: replays a record, makes random ones, and breaks them."""

from __future__ import annotations

from oracle.breaking import break_record
from oracle.random_records import random_record
from oracle.reading import replay_text

__all__ = ["break_record", "random_record", "replay_text"]
