"""The repository as its readers find it: what documents promise is there, and nothing of a machine's is in the files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import headwork
import pytest
import typer.main
from headwork.cli import app

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = typer.main.get_command(app).commands  # pyright: ignore[reportAttributeAccessIssue]

in_the_tree = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="the tree is out of sight")

# Home folders, mount points and registries of somebody's machine. Hostile submissions and documents of shells
# name such paths on purpose.
OF_A_MACHINE = re.compile(
    r"(?<![\w.~/])/(?:root|home|Users|work|opt|mnt)/[\w.-]+|https?://[\w.-]*(?:pypi|mirror|artifact)[\w.-]*"
)
MAY_NAME_PATHS = ("tests/hostile/", "tests/cases/", "tests/test_repository.py")


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).exists()]


@in_the_tree
def test_no_file_names_a_path_or_a_host_of_some_machine():
    found: list[str] = []
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(MAY_NAME_PATHS):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name}: {hit[0]}" for hit in OF_A_MACHINE.finditer(text)]

    assert not found


@in_the_tree
def test_no_file_is_larger_than_a_megabyte():
    assert [path.name for path in tracked() if path.stat().st_size > 1_000_000] == []


@in_the_tree
def test_the_commands_of_the_documents_exist():
    texts = [path.read_text(encoding="utf-8") for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
    named = {name for text in texts for name in re.findall(r"(?:^ {4}|`)headwork ([a-z]+)\b", text, re.MULTILINE)}

    assert named - set(COMMANDS) == set()
    assert len(named) > 9


@in_the_tree
def test_the_options_of_the_documents_exist():
    text = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("*.md"))
    used = {
        (command, option)
        for command, rest in re.findall(r"(?:^ {4}|`)headwork ([a-z]+)([^`\n#]*)", text, re.MULTILINE)
        for option in re.findall(r"--[a-z-]+", rest)
    }
    known = {(name, option) for name, command in COMMANDS.items() for one in command.params for option in one.opts}

    assert {(command, option) for command, option in used if option != "--help"} - known == set()


@in_the_tree
def test_the_tests_that_the_readme_names_are_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    sources = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/test_*.py"))

    assert [path for path in re.findall(r"tests/test_\w+\.py", text) if not (ROOT / path).exists()] == []
    assert [name for name in re.findall(r"`(test_\w+)`", text) if f"def {name}(" not in sources] == []


@in_the_tree
def test_the_links_of_the_documents_lead_somewhere():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


@in_the_tree
def test_the_changelog_speaks_of_this_version():
    assert f"## {headwork.__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


@in_the_tree
def test_every_decision_has_its_context_its_choice_and_its_price():
    for path in ROOT.glob("docs/decisions/*.md"):
        text = path.read_text(encoding="utf-8")
        assert all(f"**{word}" in text for word in ("Context", "Choice", "Price")), path.name


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(name):
    assert f"Example: headwork {name}" in (COMMANDS[name].help or "").replace("\n", " ")


def test_help_loads_nothing_heavy():
    code = "import sys; sys.argv = ['headwork', '--help']\nfrom headwork.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert "Usage" in said
    heavy = {"numpy", "sympy", "jinja2", "nbformat", "rich", "nbgrader", "dask", "torch", "headwork.model"}
    assert heavy & set(said.split()) == set()


def test_the_list_of_exercises_runs_no_content():
    code = "import sys; sys.argv = ['headwork', 'list']\nfrom headwork.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert {"numpy", "sympy", "jinja2", "rich"} & set(said.split()) == set()
