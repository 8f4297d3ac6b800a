"""A game looked back at: `review(events)` tells what happened, what each seat could know, and which rule was applied.

>>> from engine.review import review
>>> from engine.selfplay import play
>>> review(play(1).events).state
'finished'
"""

from engine.review.document import document
from engine.review.knowledge import Fact, Knowledge
from engine.review.log import LogError, read_log
from engine.review.review import Review, review
from engine.review.sheet import SheetError
from engine.review.timeline import SpokenLine

__all__ = ["Fact", "Knowledge", "LogError", "Review", "SheetError", "SpokenLine", "document", "read_log", "review"]
