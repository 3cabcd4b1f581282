"""Student code runs here: in another process, with nothing of ours in reach and no expected value inside.

``open_runner()`` gives a Runner; a Runner turns cells and calls into outcomes. What comes back is
arrays and short words, checked byte by byte; see ``frames.py`` and ``answers.py``.
"""

from headwork.sandbox.runner import Runner, Tier
from headwork.sandbox.tiers import IsolationError, open_runner, survey

__all__ = ["IsolationError", "Runner", "Tier", "open_runner", "survey"]
