"""How often wrong answers are named right: singles, pairs, right answers, and the processor time it takes.

The time of a diagnosis is the best of three: on a shared machine the others tell more of the neighbours.

Run with the number of pairs per chain: ``python bench/diagnosis.py 300``.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from diagnosed import drawn, observed, same_effect, wrong_answer
from headwork.marking.diagnose import Observation, diagnose
from headwork.mistakes import applicable, applied, needs_large_scores, shows_on
from headwork.model import Chain, Diagnosis, Mistake
from headwork.rooms import Content, load_content
from headwork.stages import upstream

TARGETS = {
    "attention": "heads",
    "multi_head": "out",
    "stacked_heads": "out",
    "cross": "heads",
    "decoding": "heads",
    "gradients": "d_x",
}


def mistakes_on_the_way(content: Content, chain: Chain, target: str, values: Mapping[str, Any]) -> list[Mistake]:
    """Mistakes that can be made in one function that computes ``target``."""
    way = set(upstream(chain, [target]))
    return [
        mistake
        for mistake in content.mistakes_of(chain)
        if applicable(chain, mistake) and way.intersection(applied(chain, mistake)) and shows_on(mistake, values)
    ]


def timed(content: Content, observations: list[Observation]) -> tuple[Diagnosis | None, float]:
    """What is found, and the best of three times."""
    times: list[float] = []
    while True:
        began = time.process_time()
        found = diagnose(content, observations)
        times.append(time.process_time() - began)
        if len(times) == 3:
            return found, min(times)


def isolated(content: Content, seeds: int) -> None:
    """Every mistake in every function that is run on its own."""
    outcomes: Counter[str] = Counter()
    spent: list[float] = []
    for chain, seed in itertools.product(content.chains.values(), range(seeds)):
        values = drawn(chain, seed)
        for stage in chain.stages.values():
            reach = frozenset(stage.needs)
            for mistake in content.mistakes_of(chain):
                if not applicable(chain, mistake, reach, stage=stage.name) or not shows_on(mistake, values):
                    continue
                answer = wrong_answer(chain, values, (mistake,), stage.name, only=stage.name)
                if answer is None:
                    outcomes["crashes"] += 1
                    continue
                found, seconds = timed(content, [observed(chain, stage.name, values, answer, in_reach=reach)])
                spent.append(seconds)
                right = found is not None and same_effect(
                    content, chain, found, (mistake,), stage.name, seed, only=stage.name
                )
                outcomes["right" if right else "wrong"] += 1
                if not right:
                    print("  ", chain.slug, stage.name, mistake.slug, "->", found.title if found else None)
    report("isolated singles", outcomes, spent)


def composed(content: Content, seeds: int) -> None:
    """Every mistake in a function that computes a whole chain."""
    outcomes: Counter[str] = Counter()
    spent: list[float] = []
    for (slug, target), seed in itertools.product(TARGETS.items(), range(seeds)):
        chain = content.chains[slug]
        values = drawn(chain, seed)
        for mistake in mistakes_on_the_way(content, chain, target, values):
            answer = wrong_answer(chain, values, (mistake,), target)
            if answer is None or needs_large_scores(mistake):
                outcomes["crashes"] += 1
                continue
            found, seconds = timed(content, [observed(chain, target, values, answer)])
            spent.append(seconds)
            right = found is not None and same_effect(content, chain, found, (mistake,), target, seed)
            outcomes["right" if right else "wrong"] += 1
            if not right:
                print("  ", slug, target, mistake.slug, "->", found.title if found else None)
    report("composed singles", outcomes, spent)


def some_pairs(content: Content, chain: Chain, target: str, count: int) -> Iterator[tuple[Mistake, Mistake, int]]:
    """Random pairs of mistakes at different stages."""
    choose = np.random.default_rng(7)  # noqa: TID251 - a bench draws as it likes
    for seed in range(count):
        values = drawn(chain, seed)
        found = mistakes_on_the_way(content, chain, target, values)
        while True:
            one, other = (found[place] for place in choose.choice(len(found), 2, replace=False))
            if not set(applied(chain, one)) & set(applied(chain, other)):
                yield one, other, seed
                break


def pairs(content: Content, count: int) -> None:
    """Pairs of mistakes at different stages of one function."""
    outcomes: Counter[str] = Counter()
    spent: list[float] = []
    for slug, target in TARGETS.items():
        chain = content.chains[slug]
        for one, other, seed in some_pairs(content, chain, target, count):
            values = drawn(chain, seed)
            answer = wrong_answer(chain, values, (one, other), target)
            if answer is None:
                outcomes["crashes"] += 1
                continue
            found, seconds = timed(content, [observed(chain, target, values, answer)])
            spent.append(seconds)
            right = found is not None and same_effect(content, chain, found, (one, other), target, seed)
            outcomes["right" if right else "wrong"] += 1
            if not right:
                print("  ", slug, one.slug, other.slug, "->", found and (found.kind, found.title, found.mistakes))
    report("composed pairs", outcomes, spent)


def report(title: str, outcomes: Counter[str], spent: list[float]) -> None:
    """One line of figures."""
    judged = outcomes["right"] + outcomes["wrong"]
    times = np.sort(spent) * 1000
    print(
        f"{title}: {outcomes['right']} of {judged} named right ({outcomes['right'] / judged:.1%}), "
        f"{outcomes['crashes']} crash or don't show; "
        f"median {np.median(times):.1f} ms, 95 % under {times[int(0.95 * len(times))]:.1f} ms, at most {times[-1]:.1f} ms"
    )


def main() -> None:
    """Print all figures."""
    content = load_content()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"{len(content.mistakes)} mistakes, {len(content.chains)} chains")
    isolated(content, 2)
    composed(content, 2)
    pairs(content, count)


if __name__ == "__main__":
    main()
