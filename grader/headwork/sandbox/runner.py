"""Running a submission: one child for all of it, and another only where one hung or was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol

from headwork.model import Call, GraderFault, Limits, Missing, Run
from headwork.sandbox.converse import Talk, converse
from headwork.sandbox.named import named_in
from headwork.sandbox.progress import Heard, Submission
from headwork.sandbox.workers import Worker, WorkerLost

_ORDINARY = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """How well submissions are locked in: what the probe really saw denied, not what was asked for."""

    name: str
    """"full", "base" or "limits"."""
    platform: str
    landlock_abi: int
    denied: tuple[str, ...]
    note: str
    """A sentence for reports."""


class Runner(Protocol):
    """Runs submissions, one at a time. Not for several threads at once."""

    @property
    def tier(self) -> Tier:
        """How submissions are locked in."""
        ...

    def run(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits = ...) -> Run:
        """Load ``cells`` into one namespace and make ``calls`` in order. Raises GraderFault."""
        ...

    def close(self) -> None:
        """End the processes that serve us."""
        ...

    def __enter__(self) -> Runner:
        """Use it as a context manager."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        ...


class ChildRunner:
    """The Runner of all tiers; they differ in where children come from."""

    def __init__(self, worker: Worker, tier: Tier) -> None:
        """Takes over ``worker``."""
        self._worker = worker
        self.tier = tier

    def run(self, cells: Sequence[str], calls: Sequence[Call], limits: Limits = _ORDINARY) -> Run:
        """See Runner."""
        if sum(map(len, cells)) > limits.source:
            reason = f"the code has more than {limits.source} characters and was not run"
            return Run(outcomes=tuple(Missing(reason=reason) for _ in calls), tier=self.tier.name)
        submission = Submission(cells, calls, limits)
        modules = named_in(cells, calls)
        while submission.to_do():
            submission.take(*self._try(submission, limits, modules))
        return Run(
            outcomes=submission.outcomes(),
            load_errors=submission.load_errors(),
            printed=submission.printed.decode("utf-8", "replace"),
            tier=self.tier.name,
        )

    def _try(self, submission: Submission, limits: Limits, modules: Sequence[str]) -> tuple[Heard, Talk]:
        """One child. A fault of the machine is tried once more."""
        reason = ""
        for _ in range(2):
            heard = submission.listener()
            try:
                child = self._worker.start(limits, modules)
                try:
                    talk = converse(child, submission.job(), heard, limits, left=submission.seconds_left)
                finally:
                    child.close()
            except WorkerLost as error:
                self._worker.close()
                reason = str(error)
                continue
            if heard.ready:
                return heard, talk
            reason = talk.printed.decode("utf-8", "replace").strip() or talk.ending
        raise GraderFault(f"the sandbox does not start: {reason}")

    def close(self) -> None:
        """See Runner."""
        self._worker.close()

    def __enter__(self) -> ChildRunner:
        """Use it as a context manager."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()
