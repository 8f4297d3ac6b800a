"""Who makes the models of a recogniser process: ours, or a module that a host names.

Such a module has `load(name, options)`, which gives a `models.recognition.Recogniser` for a model's name. Nothing else
is asked of it: docs/speech.md has a whole one.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.errors import ModelError
from voice.processes.keeper import environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from models.recognition import Recogniser

OURS = "voice.speech.windowed"
LOOK_S = 120.0
"""How long a module may take to be imported when it is looked at."""
_LONGEST_NAME = 200
_GOOD = b"can be loaded from\n"


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is to be loaded: see SpeechSettings. `compute_type` and `min_window_s` None: as the model has it."""

    data_dir: Path
    device: str
    compute_type: str | None
    threads: int
    min_window_s: float | None


def loader(module: str) -> Callable[[str, Options], Recogniser]:
    """The `load` of a module, imported here: an installed one, else one in the current folder.

    Raises ModelError where there is none, or it fails while it is imported; so does what is returned, whatever the
    module's own `load` raises.
    """
    if not _is_name(module):
        raise ModelError(f"recogniser {module!r:.80}: expected a Python module's name, such as mine or package.mine")
    _look_here()
    try:
        found = getattr(importlib.import_module(module), "load", None)
    except (Exception, SystemExit) as error:  # whatever somebody else's module does when it is imported
        raise ModelError(f"recogniser {module} can't be imported: {_said(error)}") from error
    if not callable(found):
        raise ModelError(f"recogniser {module} has no load(name, options): expected one, as in docs/speech.md")

    def load(name: str, options: Options) -> Recogniser:
        try:
            made: Recogniser = found(name, options)
        except ModelError:
            raise
        except Exception as error:  # the same
            raise ModelError(f"recogniser {module} does not load {name}: {_said(error)}") from error
        return made

    return load


def look_at(module: str) -> None:
    """Whether a process could take its models from a module: it is imported in one that ends at once.

    Blocks for as long as the import takes. Raises ModelError, whose message is one line.
    """
    if not _is_name(module):
        loader(module)
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__, module],
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LOOK_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ModelError(f"recogniser {module} is not imported after {LOOK_S:g} s") from error
    if done.returncode or not done.stdout.endswith(_GOOD):
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ModelError(said[-1][:400] if said else f"recogniser {module} ends its process when it is imported")


def source_of(module: str) -> Path | None:
    """The file of a module that `look_at` has found good; None for one without."""
    _look_here()
    spec = importlib.util.find_spec(module)
    return None if spec is None or spec.origin is None else Path(spec.origin)


def _look_here() -> None:
    if (here := os.getcwd()) not in sys.path:
        sys.path.append(here)


def _said(error: BaseException) -> str:
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said:.200}" if said else type(error).__name__


def _is_name(module: str) -> bool:
    return len(module) <= _LONGEST_NAME and all(part.isidentifier() for part in module.split("."))


def _main(module: str) -> int:
    try:
        loader(module)
    except ModelError as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.write(_GOOD.decode())
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
