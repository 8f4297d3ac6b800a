"""Plants errors in the engine, one at a time, and says which ones nothing noticed.

    python -m tests.mutation                                   every ruleset
    python -m tests.mutation engine/voting.py engine/rulesets/sport
    python -m tests.mutation --unit engine/view.py             survivors must get past the unit tests as well
    python -m tests.mutation --every 10 engine                 one mutant in ten

Each mutant runs in a process of its own, with the mutated module in place of the real one: first the checks that come
by its line, the quickest first, up to the first that fails. Mutants in `equivalent.json` change nothing that anybody
could notice, for the reason given there. The exit status is 1 where a mutant survived that is not among them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis

from tests.mutation.mutants import Mutant, mutants
from tests.mutation.planted import plant
from tests.mutation.pool import ROOT, Check, checks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

SECONDS_A_CHECK = 3
SECONDS_A_SLOW_CHECK = 15
SECONDS_OF_UNIT_TESTS = 180
BYTES_A_MUTANT = 4 << 30
EQUIVALENT = Path(__file__).parent / "equivalent.json"
LOADED = hypothesis  # before the first mutant, so that none of them has to


def in_child(work: Any, *arguments: Any) -> str:
    """What `work` returns, a line, in a process of its own; how it ended where it did not return."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            signal.alarm(60)
            resource.setrlimit(resource.RLIMIT_AS, (BYTES_A_MUTANT, BYTES_A_MUTANT))
            sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - to the end of the process
            with os.fdopen(os.dup(write), "w") as pipe:
                pipe.write(str(work(*arguments)))
        except BaseException as failed:
            os.write(write, f"raised {type(failed).__name__}: {failed}".encode()[:500])
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    return answer or ("took too long" if os.WIFSIGNALED(status) else "died")


def in_children(jobs: int, count: int, work: Callable[[int], str]) -> Iterator[tuple[int, str]]:
    """What `work` says to each number below `count`, by so many processes at once, as it comes."""
    pipes = []
    for job in range(jobs):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(write, "w") as pipe:
                for number in range(job, count, jobs):
                    pipe.write(json.dumps([number, work(number)]) + "\n")
                    pipe.flush()
            os._exit(0)
        os.close(write)
        pipes.append((child, read))
    for child, read in pipes:
        with os.fdopen(read) as pipe:
            yield from (tuple(json.loads(line)) for line in pipe)
        os.waitpid(child, 0)


def measured(pool: list[Check], files: list[str], jobs: int) -> None:
    """Runs the quick checks on the engine as it is, for their time and the lines of `files` that they come by."""
    wanted = {str(ROOT / path): path for path in files}
    quick = [check for check in pool if check.quick]
    bundles = [quick[start : start + 25] for start in range(0, len(quick), 25)]

    def run(check: Check) -> str:
        seen: set[tuple[str, int]] = set()

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            path = wanted.get(frame.f_code.co_filename)
            if path is None:
                return None
            seen.add((path, frame.f_lineno))
            return trace

        began = time.perf_counter()
        sys.settrace(trace)
        try:
            check.run()
        finally:
            sys.settrace(None)
        return json.dumps([time.perf_counter() - began, sorted(seen)])

    def bundle(number: int) -> str:
        return in_child(lambda: "\n".join(run(check) for check in bundles[number]))

    for number, answer in in_children(jobs, len(bundles), bundle):
        if answer.startswith(("raised", "took", "died")):
            failed = [check.name for check in bundles[number] if not in_child(run, check).startswith("[")]
            sys.exit(f"on the engine as it is: {', '.join(failed) or bundles[number][0].name} {answer}")
        for check, line in zip(bundles[number], answer.splitlines(), strict=True):
            seconds, lines = json.loads(line)
            check.seconds, check.lines = seconds, frozenset((path, number) for path, number in lines)


def fate(mutant: Mutant, pool: list[Check], unit: bool) -> str:
    """Which check has noticed a mutant; empty where it survived."""
    parts = mutant.path.split("/")
    own = parts[2] if parts[1] == "rulesets" and len(parts) > 3 else None
    chosen = [check for check in pool if (mutant.path, mutant.line) in check.lines]
    if not chosen:  # it runs when the module is imported
        chosen = [check for check in pool if check.quick and own in (None, check.ruleset)]
    chosen.sort(key=lambda check: check.seconds)
    chosen += [check for check in pool if not check.quick and own in (None, check.ruleset)]
    return in_child(_run, mutant, chosen, unit).removeprefix("survived")


def _run(mutant: Mutant, pool: list[Check], unit: bool) -> str:
    plant(mutant)
    for check in pool:
        signal.alarm(SECONDS_A_CHECK if check.quick else SECONDS_A_SLOW_CHECK)
        try:
            check.run()
        except Exception as failed:
            return f"{check.name}: {type(failed).__name__}"
    if unit:
        signal.alarm(SECONDS_OF_UNIT_TESTS)
        return unit_tests(mutant) or "survived"
    return "survived"


def unit_tests(mutant: Mutant | None) -> str:
    """Runs the unit tests in a new interpreter; empty where they pass. Without a mutant, on the engine as it is."""
    of = [] if mutant is None else [mutant.path, str(mutant.number)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation.unit", *of], cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode not in (0, 1):
        return f"raised: the unit tests could not be run: {done.stdout.decode()[-300:]}"
    return "unit tests" if done.returncode else ""


def explained() -> dict[tuple[str, str, str], str]:
    """The mutants that are known to change nothing, with the reason."""
    listed: list[dict[str, str]] = json.loads(EQUIVALENT.read_text("utf-8"))
    return {(each["path"], each["source"], each["change"]): each["reason"] for each in listed}


def main() -> int:
    """Plants every mutant of the files that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Plants errors in the engine.")
    parser.add_argument("paths", nargs="*", default=["engine/rulesets"], help="files or folders")
    parser.add_argument("--ruleset", help="only the checks of one ruleset")
    parser.add_argument("--every", type=int, default=1, help="only one mutant in so many")
    parser.add_argument("--unit", action="store_true", help="survivors must get past the unit tests, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    os.nice(10)
    files = sorted(
        {
            str(file.relative_to(ROOT))
            for path in asked.paths
            for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py"))
        }
    )
    planted = [each for path in files for each in mutants(path, (ROOT / path).read_text("utf-8"))][:: asked.every]
    pool = [check for check in checks() if asked.ruleset in (None, check.ruleset)]
    began = time.monotonic()
    measured(pool, files, asked.jobs)
    if asked.unit and (failed := unit_tests(None)):
        sys.exit(f"on the engine as it is: {failed}")
    print(f"{len(planted)} mutants of {len(files)} files; {len(pool)} checks, measured in "
          f"{time.monotonic() - began:.0f} s", flush=True)  # fmt: skip
    fates = dict(in_children(asked.jobs, len(planted), lambda number: fate(planted[number], pool, asked.unit)))
    return report(planted, fates, time.monotonic() - began)


def report(planted: list[Mutant], fates: dict[int, str], seconds: float) -> int:
    """Says what became of them."""
    known, survived, equivalent = explained(), [], 0
    for number, noticed in fates.items():
        if noticed.startswith("raised"):
            sys.exit(f"could not be tried: {planted[number].name}: {noticed}")
    for number, mutant in enumerate(planted):
        if fates.get(number) == "":
            reason = known.get((mutant.path, mutant.source, mutant.change))
            equivalent += reason is not None
            survived += [mutant] if reason is None else []
    by = Counter(fates[number].split(" ")[0].split(":")[0] for number in fates if fates[number])
    noticed = ", ".join(f"{by[name]} by {name}" for name in sorted(by))
    print(f"{len(planted)} mutants: {sum(by.values())} noticed ({noticed}), {equivalent} change nothing, "
          f"{len(survived)} survived, in {seconds:.0f} s")  # fmt: skip
    for mutant in survived:
        print("SURVIVED", mutant.name)
    return 1 if survived or len(fates) < len(planted) else 0


if __name__ == "__main__":
    sys.exit(main())
