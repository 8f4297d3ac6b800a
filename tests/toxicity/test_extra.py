"""The default install does without torch; the extra's lock adds to it and changes nothing of it."""

from __future__ import annotations

import re
from pathlib import Path

REQUIREMENTS = Path(__file__).parents[2] / "requirements"
HEAVY = ("torch", "transformers", "detoxify", "sentencepiece")


def pins(name: str) -> dict[str, str]:
    """Each pinned line with its hashes, by package and marker."""
    text = (REQUIREMENTS / f"{name}.txt").read_text("utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if match := re.match(r"([a-z0-9.-]+)==(\S+)\s*(;[^-]*)?", line):
            found[match[1] + (match[3] or "").strip()] = " ".join(line.split())
    return found


def test_the_default_install_has_nothing_of_it() -> None:
    for name in ("run", "dev"):
        assert not [pin for pin in pins(name) if pin.startswith((*HEAVY, "nvidia"))]


def test_the_lock_of_the_extra_is_that_of_the_install_and_more() -> None:
    run, extra = pins("run"), pins("detoxify")
    assert len(run) > 50
    assert {name: extra.get(name) for name in run} == run
    added = {name for name in extra if name not in run}
    assert {"transformers", "detoxify", "sentencepiece"} <= added
    assert not [name for name in extra if name.startswith(("torch", "nvidia", "triton"))], "the host's to choose"
    assert all("--hash=sha256:" in pin for pin in extra.values())
    assert re.search(r"^torch==\d+\.\d+\.\d+$", (REQUIREMENTS / "torch.txt").read_text("utf-8"), re.MULTILINE)
