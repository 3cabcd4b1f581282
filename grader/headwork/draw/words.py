"""Word prompts: pairs of short prompts that share the last word."""

from __future__ import annotations

from headwork.draw.stream import Stream
from headwork.model import CourseError

# Subject pools and words that can follow all of them; a prompt is one subject, fillers, one shared last word.
POOLS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "people": (("you", "we", "they", "I"), ("really", "often", "now", "still"), ("like", "read", "write", "see")),
    "animals": (("cats", "dogs", "owls", "foxes"), ("never", "always", "quietly", "often"), ("sleep", "wait", "run")),
    "weather": (("rain", "snow", "wind", "fog"), ("soon", "slowly", "again", "finally"), ("stops", "comes", "moves")),
    "kitchen": (("bread", "soup", "rice", "tea"), ("still", "almost", "nearly", "just"), ("cooks", "steams", "cools")),
}


def word_pair(stream: Stream, length: int, pool: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Two prompts of ``length`` words, different first words and one last word.

    Raises CourseError for a pool that does not exist.
    """
    if pool is not None and pool not in POOLS:
        raise CourseError(f"words = {pool!r}; there are pools {', '.join(POOLS)}")
    subjects, fillers, last = POOLS[pool or stream.choice(sorted(POOLS))]
    first = stream.shuffled(subjects)[:2]
    middle = [fillers[i % len(fillers)] for i in range(length - 2)]
    shared = stream.choice(last)
    return (first[0], *middle, shared), (first[1], *middle, shared)
