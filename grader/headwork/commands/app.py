"""What the commands share: the program that they belong to, options, and errors in plain words."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

app = typer.Typer(
    name="headwork",
    help="Homework for attention heads: draw problems, hand them out, take them back, grade and explain.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

USAGE, FAULT = 2, 3

Content = Annotated[
    list[Path] | None, typer.Option("--content", help="A folder with exercises/, solutions/ or templates/ of your own.")
]
AssignmentName = Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="Folder name below source/.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Students = Annotated[list[str] | None, typer.Option("--student", help="Only this student; may be repeated.")]
CourseFolder = Annotated[Path, typer.Option("--course", help="The course folder (default: here or above).")]
Isolation = Annotated[
    str, typer.Option(help="auto, full, base, or limits (which lets submissions read your files: your consent).")
]
Workers = Annotated[int, typer.Option(min=1, max=256, help="Processes that grade side by side.")]

Command = TypeVar("Command", bound=Callable[..., Any])


def plainly(command: Command) -> Command:
    """Turn errors that a person can mend into one message and an exit status."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        from headwork.model import ContentError, CourseError, GraderFault

        try:
            return command(*args, **kwargs)
        except (CourseError, ContentError) as error:
            say(str(error))
            raise typer.Exit(USAGE) from None
        except GraderFault as error:
            say(f"headwork could not go on: {error}")
            raise typer.Exit(FAULT) from None

    return run  # pyright: ignore[reportReturnType]  # the same signature, by wraps


def say(text: str) -> None:
    """Tell a person, on standard error."""
    from headwork.reports.shown_text import shown_text

    print(shown_text(text, longest=4000), file=sys.stderr)


def print_json(value: Any) -> None:
    """For scripts."""
    import json

    print(json.dumps(value, ensure_ascii=False, indent=1))
