"""The frozen types that pass between the rooms of headwork.

This package imports nothing else of ours, and NumPy only for the type checker, so that
a command which only lists things starts at once.
"""

from headwork.model.arrays import Array, Value
from headwork.model.content import (
    Applied,
    AskedPart,
    Chain,
    CodePart,
    ComposePart,
    Exercise,
    Mistake,
    Operation,
    Parameters,
    Part,
    Stage,
    TracePart,
)
from headwork.model.errors import ContentError, CourseError, GraderFault
from headwork.model.problems import Certificate, Distance, Instance, Problem
from headwork.model.reports import Cell, Diagnosis, Judgement, ManualMark, Report, Status, Verdict
from headwork.model.runs import (
    Call,
    Killed,
    Limits,
    Missing,
    NotRun,
    Outcome,
    Raised,
    Result,
    Returned,
    Run,
    Submission,
    TimedOut,
    Unusable,
)

__all__ = [
    "Applied",
    "Array",
    "AskedPart",
    "Call",
    "Cell",
    "Certificate",
    "Chain",
    "CodePart",
    "ComposePart",
    "ContentError",
    "CourseError",
    "Diagnosis",
    "Distance",
    "Exercise",
    "GraderFault",
    "Instance",
    "Judgement",
    "Killed",
    "Limits",
    "ManualMark",
    "Missing",
    "Mistake",
    "NotRun",
    "Operation",
    "Outcome",
    "Parameters",
    "Part",
    "Problem",
    "Raised",
    "Report",
    "Result",
    "Returned",
    "Run",
    "Stage",
    "Status",
    "Submission",
    "TimedOut",
    "TracePart",
    "Unusable",
    "Value",
    "Verdict",
]
