"""A mutant in the place of the module that it was made of."""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING, Any

from tests.mutation.pool import ROOT

if TYPE_CHECKING:
    from types import CodeType, ModuleType

    from tests.mutation.mutants import Mutant


class Planted(MetaPathFinder, Loader):
    """Imports one module from a mutant's code."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module, self.code = module, code

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        """The module's own spec, with this loader."""
        if name != self.module:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        spec.loader = self
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Runs the mutant."""
        exec(self.code, module.__dict__)  # noqa: S102 - this is what a mutation tester does


def module_name(path: str) -> str:
    """The name a file is imported by."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def plant(mutant: Mutant) -> None:
    """From now on this process imports the mutant; the module must not have been imported before."""
    name, file = module_name(mutant.path), ROOT / mutant.path
    assert name not in sys.modules, name
    code = compile(mutant.tree(file.read_text("utf-8")), str(file), "exec")
    sys.meta_path.insert(0, Planted(name, code))
