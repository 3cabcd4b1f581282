"""Rooms: folders of content. Finding a contribution is finding a file; there is no list to keep.

The built-in rooms (``exercises/``, ``solutions/``, ``templates/``) lie beside ``grader/`` in a checkout
and in ``headwork/_content/`` of an installed wheel. A course's own rooms, given with ``--content DIR``,
have the same shape and come first.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import importlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import cast

from headwork.model import Chain, ContentError, Exercise, Mistake
from headwork.stages import chain_of

_HERE = Path(__file__).resolve().parent


def builtin_content() -> Path:
    """The folder that holds the built-in rooms."""
    installed = _HERE / "_content"
    return installed if installed.is_dir() else _HERE.parent.parent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Content:
    """All that the rooms hold, by slug. Loaded once per process, so it is compared by identity."""

    folders: tuple[Path, ...]
    chains: Mapping[str, Chain]
    exercises: Mapping[str, Exercise]
    mistakes: Mapping[str, Mistake]

    def mistakes_of(self, chain: Chain) -> tuple[Mistake, ...]:
        """The mistakes that stand in for a stage or an operation of ``chain``."""
        targets = {name for found in chain.stages.values() for name in (found.name, found.operation.name)}
        return tuple(mistake for mistake in self.mistakes.values() if mistake.target in targets)


def slug_of(name: str) -> str:
    """``snake_case`` file or function name as a ``kebab-case`` slug."""
    return name.replace("_", "-")


def catalogue(extra: Iterable[Path] = ()) -> dict[str, tuple[str, Path]]:
    """Exercise slug -> title and file, without running any content (for ``headwork list``)."""
    found: dict[str, tuple[str, Path]] = {}
    for folder in (*(Path(path) for path in extra), builtin_content()):
        for path in sorted((folder / "exercises").glob("*/*.py")):
            if not path.name.startswith("_") and slug_of(path.stem) not in found:
                docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
                title = (docstring or path.stem).splitlines()[0]
                found[slug_of(path.stem)] = (title, path)
    return found


_loaded: dict[tuple[Path, ...], Content] = {}


def load_content(extra: Iterable[Path] = ()) -> Content:
    """Import all content. The same folders are imported once per process.

    Raises ContentError, naming the file, where a contribution is not as it must be.
    """
    folders = (*(Path(path).resolve() for path in extra), builtin_content())
    if folders not in _loaded:
        _loaded[folders] = _load(folders)
    return _loaded[folders]


def _load(folders: tuple[Path, ...]) -> Content:
    for folder in folders[:-1]:
        if not any((folder / room).is_dir() for room in ("exercises", "solutions", "templates")):
            raise ContentError(f"{folder}: no exercises/, solutions/ or templates/ in this content folder")
    package = "headwork_content_" + hashlib.sha256("\0".join(map(str, folders)).encode()).hexdigest()[:12]
    _make_package(package, [])
    _make_package(f"{package}.solutions", [folder / "solutions" for folder in folders])
    chains: dict[str, Chain] = {}
    for path in _files(folders, "solutions/*.py"):
        module = _import(f"{package}.solutions.{path.stem}", path)
        if getattr(module, "LEADING", None) is not None:
            chains[path.stem] = chain_of(module, slug=path.stem, content_package=package)
    mistakes: dict[str, Mistake] = {}
    # A course adds to our mistakes of a stage: its file of the same name does not hide ours.
    for number, folder in reversed(list(enumerate(folders))):
        room = f"{package}.solutions.mistakes_{number}"
        _make_package(room, [folder / "solutions" / "mistakes"])
        for path in _files((folder,), "solutions/mistakes/*.py"):
            for mistake in _mistakes_in(_import(f"{room}.{path.stem}", path), path):
                mistakes[mistake.slug] = mistake
    exercises: dict[str, Exercise] = {}
    for path in _files(folders, "exercises/*/*.py"):
        unit = f"{package}.exercises_{path.parent.name}"
        _make_package(unit, [folder / "exercises" / path.parent.name for folder in folders])
        exercise = _exercise_in(_import(f"{unit}.{path.stem}", path), path)
        exercises[exercise.slug] = exercise
    ordered = dict(sorted(exercises.items(), key=lambda item: (item[1].unit, item[0])))
    return Content(folders=folders, chains=chains, exercises=ordered, mistakes=mistakes)


def _make_package(name: str, paths: list[Path]) -> None:
    if name in sys.modules:
        return
    module = ModuleType(name)
    module.__path__ = [str(path) for path in paths]
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)


def _files(folders: tuple[Path, ...], pattern: str) -> list[Path]:
    """Files of one room by name; a course's own file hides ours of the same name."""
    found: dict[str, Path] = {}
    for folder in reversed(folders):
        for path in sorted(folder.glob(pattern)):
            if not path.name.startswith("_"):
                found[path.stem] = path
    return list(found.values())


def _import(name: str, path: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ContentError:
        raise
    except Exception as error:  # an author's file may fail in any way
        raise ContentError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error


def _exercise_in(module: ModuleType, path: Path) -> Exercise:
    exercise = getattr(module, "exercise", None)
    if not isinstance(exercise, Exercise):
        raise ContentError(f"{path}: no value `exercise = Exercise(...)` in this file")
    title, _, prompt = inspect.cleandoc(module.__doc__ or "").partition("\n")
    if not title or not prompt.strip():
        raise ContentError(f"{path}: the docstring must be a title line, an empty line, and the prompt")
    return dataclasses.replace(exercise, slug=slug_of(path.stem), title=title, prompt=prompt.strip(), path=path)


def _mistakes_in(module: ModuleType, path: Path) -> list[Mistake]:
    found: list[Mistake] = []
    for name, member in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(member) or member.__module__ != module.__name__:
            continue
        paragraphs = [" ".join(part.split()) for part in inspect.cleandoc(member.__doc__ or "").split("\n\n")]
        if len(paragraphs) < 3:
            raise ContentError(
                f"{path}: {name}: the docstring needs three paragraphs (what the code did; why it matters; "
                f"what to look at), there are {len([part for part in paragraphs if part])}"
            )
        title, why, look, *rest = paragraphs
        found.append(
            Mistake(
                slug=f"{slug_of(path.stem)}/{slug_of(name)}",
                target=path.stem,
                function=member,
                needs=tuple(inspect.signature(member).parameters),
                title=title.rstrip("."),
                why=why,
                look=look,
                hint=rest[0] if rest else "",
                alike={
                    (f"{slug_of(path.stem)}/{slug_of(other)}" if other.isidentifier() else other): reason
                    for other, reason in cast(Mapping[str, str], getattr(member, "alike", {})).items()
                },
                shows_when=getattr(member, "shows_when", None),
            )
        )
    return found


def template_folders(content: Content) -> list[Path]:
    """Where Jinja looks, a course's own templates first."""
    return [folder / "templates" for folder in content.folders if (folder / "templates").is_dir()]
