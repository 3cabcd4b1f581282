"""Exercises by themselves: list, preview, practice, check, mutate."""

# Imports stay inside the commands, so that --help answers at once.
from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from headwork.commands.app import (
    AsJson,
    Content,
    Isolation,
    app,
    plainly,
    print_json,
)


@app.command("list")
@plainly
def list_(content: Content = None, as_json: AsJson = False) -> None:
    """List the exercises.

    Example: headwork list
    """
    from headwork.rooms import catalogue

    found = catalogue(content or ())
    if as_json:
        print_json([{"slug": slug, "title": title} for slug, (title, _) in found.items()])
        return
    width = max(len(slug) for slug in found)
    for slug, (title, path) in found.items():
        print(f"{slug:<{width}}  {title}  ({path.parent.name})")


@app.command()
@plainly
def preview(
    slugs: Annotated[list[str], typer.Argument(metavar="SLUG...", help="Exercises, as `headwork list` names them.")],
    seed: Annotated[int, typer.Option(help="Any whole number; the same one gives the same numbers.")] = 1,
    answers: Annotated[bool, typer.Option("--answers", help="Also the key and the worked solution.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a page here instead of printing.")] = None,
    difficulty: Annotated[str, typer.Option(help="easy, standard or hard.")] = "standard",
    content: Content = None,
) -> None:
    """Show exercises with drawn numbers, as a student would see them.

    Example: headwork preview softmax-rows --seed 7 --answers
    """
    from headwork.previewing import preview_html, print_preview

    chosen = _chosen(slugs, content, seed=seed, difficulty=difficulty)
    if html is None:
        print_preview(*chosen, seed=seed, answers=answers)
        return
    from headwork.writing import write_atomically

    write_atomically(html, preview_html(*chosen, seed=seed, answers=answers).encode())
    print(f"wrote {html}")


def _chosen(slugs: list[str], extra: list[Path] | None, *, seed: int, difficulty: str = "standard") -> tuple[Any, Any]:
    from headwork.assignment import ad_hoc, exercises_named
    from headwork.draw.sizes import check_parameters
    from headwork.model import Parameters
    from headwork.rooms import load_content

    content = load_content(extra or ())
    parameters = Parameters(seed=seed, difficulty=difficulty)
    check_parameters(parameters, where="options")
    return content, ad_hoc("preview", exercises_named(slugs, content.exercises, where="headwork"), parameters)


@app.command()
@plainly
def practice(
    slug: Annotated[str | None, typer.Argument(help="An exercise; writes a fresh problem.")] = None,
    mark: Annotated[Path | None, typer.Option(help="Mark the folder of an earlier practice problem.")] = None,
    into: Annotated[Path, typer.Option(help="Where practice folders go.")] = Path(),
    seed: Annotated[int | None, typer.Option(help="Fixed numbers instead of fresh ones.")] = None,
    isolation: Isolation = "auto",
    content: Content = None,
) -> None:
    """Practise: a fresh problem on the spot, marked like homework, nothing recorded.

    Example: headwork practice scale, then headwork practice --mark practice-scale-4711
    """
    from headwork.model import CourseError
    from headwork.practising import mark_practice, new_practice

    if (slug is None) == (mark is None):
        raise CourseError("give an exercise to practise, or --mark FOLDER to mark one; `headwork list` names exercises")
    if slug is not None:
        folder = new_practice(slug, into=into, seed=seed, extra=content or ())
        print(f"wrote {folder}\nWork in it, then: headwork practice --mark {folder}")
        return
    assert mark is not None
    print(mark_practice(mark, isolation=isolation, extra=content or ()))


@app.command()
@plainly
def check(
    seeds: Annotated[int, typer.Option(min=1, help="Draws per exercise.")] = 20,
    content: Content = None,
    isolation: Isolation = "auto",
) -> None:
    """Check all content: every stub fails, every solution passes, every mistake shows.

    Example: headwork check --seeds 100
    """
    from headwork.checking import check_content
    from headwork.reports.progress import tracked

    failed = 0
    for line in tracked(check_content(content or (), seeds=seeds, isolation=isolation), total=None, what="checks"):
        failed += not line.ok
        print(f"{'ok  ' if line.ok else 'FAIL'} {line.text}")
    if failed:
        raise typer.Exit(1)


@app.command()
@plainly
def mutate(
    test_file: Annotated[Path, typer.Argument(metavar="TESTFILE", help="Tests that import from attention.")],
    exercise: Annotated[list[str] | None, typer.Option(help="Only its functions; may be repeated.")] = None,
    content: Content = None,
    isolation: Isolation = "auto",
    as_json: AsJson = False,
) -> None:
    """Hold a test file against the known mistakes: which does it miss, and does it leave right answers alone?

    The file runs locked in, with NumPy and the usual parts of pytest. Exit status 1 where it misses a mistake
    or rejects a right implementation. Example: headwork mutate test_mine.py --exercise scale
    """
    from headwork.assignment import exercises_named
    from headwork.mutating import bench_of, lines_of, mutate, read_tests, record_of
    from headwork.reports.progress import tracked
    from headwork.reports.shown_text import shown_line
    from headwork.rooms import load_content
    from headwork.sandbox import open_runner

    found = load_content(content or ())
    tests = read_tests(test_file)
    bench = bench_of(found, tests, exercises_named(exercise or [], found.exercises, where="headwork mutate"))
    with open_runner(isolation) as runner:
        *_, findings = tracked(mutate(bench, tests, runner), total=None, what="implementations")
    assert not isinstance(findings, str)
    if as_json:
        print_json(record_of(findings))
    else:
        for line in lines_of(findings):
            print(shown_line(line, longest=4000))
    if not findings.fine:
        raise typer.Exit(1)
