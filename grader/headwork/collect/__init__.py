"""What came back -> ``Submission``: text only, and nothing of it is ever run here."""

from headwork.collect.batch import Collection, Unmatched, collect
from headwork.collect.handed_out import release_of
from headwork.collect.release import ReleaseNotebook
from headwork.collect.stored import load_stored, store
from headwork.collect.submission import read_submission

__all__ = [
    "Collection",
    "ReleaseNotebook",
    "Unmatched",
    "collect",
    "load_stored",
    "read_submission",
    "release_of",
    "store",
]
