"""How long marking one hand trace takes: right ones, and ones with an early slip that all later stages follow.

    python bench/hand_trace.py [SEEDS]

Prints CPU milliseconds, median and worst, of eight stages for T, d_head as drawn.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction
from statistics import median
from typing import Any

import numpy as np
from headwork.draw.readable import readable_inputs
from headwork.draw.stream import Stream
from headwork.marking.hand import HandPolicy, mark_trace
from headwork.model import Instance, Parameters, TracePart
from headwork.rooms import load_content
from headwork.stages import evaluate

STAGES = ("q", "k", "v", "scores", "scaled", "logits", "weights", "heads")


def text_of(array: Any) -> str:
    return "\n".join(" ".join("-inf" if v == -np.inf else f"{v:.4f}" for v in row) for row in array)


def slipped(values: dict[str, Any]) -> Any:
    scores = values["q"] @ values["k"].T
    scores[-1, 0] += 0.7
    return scores


def main(seeds: int) -> None:
    content = load_content()
    chain = content.chains["attention"]
    part = TracePart(stages=STAGES, points=Fraction(1))
    for title, replaced in (("right", {}), ("slip in scores", {"scores": slipped})):
        times: list[float] = []
        for seed in range(seeds):
            drawn = readable_inputs(Stream(f"bench {seed}".encode()), "tenths", Parameters())
            if drawn is None:
                continue
            instance = Instance(chain="attention", values=drawn[0], exact=drawn[1])
            values = evaluate(chain, instance.values, replaced=replaced)
            typed = {stage: text_of(values[stage]) for stage in STAGES}
            for _ in range(3):
                start = time.process_time()
                mark_trace(
                    content=content,
                    exercise_slug="bench",
                    chain=chain,
                    instance=instance,
                    part=part,
                    typed=typed,
                    policy=HandPolicy(),
                )
                times.append((time.process_time() - start) * 1000)
        print(f"{title}: {len(times)} traces, median {median(times):.1f} ms, worst {max(times):.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
