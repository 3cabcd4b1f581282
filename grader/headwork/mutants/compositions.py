"""A composed function with one known mistake inside, written out as source."""

from __future__ import annotations

import textwrap

from headwork.handout.asked import AskedFunction
from headwork.mistakes import reads, stages_of
from headwork.model import Chain, Mistake
from headwork.solution_file import self_contained_body, sizes_read_off

_STEP = "step"


def mistaken_composition(function: AskedFunction, chain: Chain, mistake: Mistake) -> str | None:
    """The function with the mistake made at every stage that it stands in for.

    None where the mistake needs a size that cannot be read off the function's arguments.
    """
    assert function.target
    given = {parameter.name for parameter in function.parameters}
    replaced = stages_of(chain, mistake)
    lines: list[str] = []
    made: set[str] = set()
    needed: set[str] = set()

    def value(name: str) -> str:
        return f"{name}_" if name in made else name

    def make(name: str) -> None:
        if name in made or name in given:
            return
        if name not in chain.stages:
            needed.add(name)
            return
        stage = chain.stages[name]
        wrong = name in replaced
        needs = reads(chain, mistake, stage) if wrong else stage.needs
        for need in needs:
            make(need)
        called = _STEP if wrong else stage.operation.name
        lines.append(f"{name}_ = {called}({', '.join(value(need) for need in needs)})")
        made.add(name)

    make(function.target)
    sizes = sizes_read_off(function, needed - given)
    if len(sizes) < len(needed - given):
        return None
    body = textwrap.indent("\n".join([*sizes, *lines, f"return {function.target}_"]), "    ")
    step = textwrap.indent(self_contained_body(mistake.function), "    ")
    parameters = ", ".join(parameter.name for parameter in function.parameters)
    return f"def {_STEP}({', '.join(mistake.needs)}):\n{step}\n\n\ndef {function.name}({parameters}):\n{body}\n"
