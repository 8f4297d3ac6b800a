"""`voicetable models list`, `voicetable models verify` and `voicetable models fetch`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from models import sentences
from models.catalogue import DEFAULT_BY_LANGUAGE, EMBEDDED
from models.errors import ModelError
from models.store import joined_directory, package_directory, part_path
from models.toxicity.catalogue import PUBLISHED
from models.toxicity.find import directory_of, installed, verify_fetched
from models.toxicity.find import locate as locate_toxicity
from models.verifying import verify, verify_bytes

DATA_DIR = Path(os.environ.get("VOICETABLE_DATA", "data"))


def run_list(data_dir: Path = DATA_DIR) -> int:
    """Print each embedded model, a tab-separated line each: name, languages, state, where it comes from."""
    for model in EMBEDDED.values():
        try:
            for file in model.files:
                for part in file.parts:
                    if not part_path(part, model.distributions).is_file():
                        raise ModelError(f"{part.package}/{part.path} is missing")
            joined = model.directory is not None or joined_directory(model, data_dir).is_dir()
            state = "ready" if joined else "ready (joined at first use)"
        except ModelError as error:
            state = str(error)
        languages = ",".join(
            f"{lang}*" if DEFAULT_BY_LANGUAGE.get(lang) == model.name else lang for lang in model.languages
        )
        print(model.name, languages, state, model.title, "from " + ", ".join(model.distributions), sep="\t")
    try:
        package_directory(sentences.PACKAGE, (sentences.DISTRIBUTION,))
        state = "ready"
    except ModelError as error:
        state = str(error)
    print(sentences.NAME, "en,ru", state, sentences.TITLE, f"from {sentences.DISTRIBUTION}", sep="\t")
    for published in PUBLISHED.values():
        state = "ready" if directory_of(published.name, data_dir).is_dir() else "to fetch"
        if not installed():
            state += " (needs: pip install 'voicetable[detoxify]')"
        print(
            published.name, ",".join(published.languages), state, published.title,
            "from Detoxify's releases, for serve --toxicity", sep="\t",
        )  # fmt: skip
    print(
        "* the language's model where no other is named. Any other faster-whisper model: its folder, or its hub name.",
        file=sys.stderr,
    )
    return 0


def run_verify(data_dir: Path = DATA_DIR) -> int:
    """Hash every embedded model's files and print one line a file; 1 where one is missing or damaged."""
    from rich.console import Console
    from rich.progress import Progress

    errors = Console(stderr=True)
    bad = 0
    with Progress(console=errors, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("Reading models", total=verify_bytes(data_dir))
        for check in verify(data_dir, lambda read_bytes: bar.advance(task, read_bytes)):
            bad += bool(check.problem)
            print(check.model, "BAD" if check.problem else "ok", check.path, check.problem, sep="\t")
    for name, problem in verify_fetched(data_dir):
        bad += bool(problem)
        print(name, "BAD" if problem else "ok", directory_of(name, data_dir), problem, sep="\t")
    if bad:
        print(
            f"voicetable: {bad} model files are missing or damaged: reinstall their packages, as said above, or delete "
            "the folder and fetch it again",
            file=sys.stderr,
        )
    return 1 if bad else 0


def run_fetch(name: str, data: str | None) -> int:
    """Fetch a published toxicity model, or a speech model of a hub; print where it is. 2 for a name of neither."""
    from models.store import locate, look_for
    from voice.cli.progress import Bytes, Progress

    data_dir = Path(data) if data is not None else DATA_DIR
    progress = Progress()
    try:
        if name in PUBLISHED:
            directory = locate_toxicity(
                name, data_dir, Bytes(progress, f"of {PUBLISHED[name].title} fetched")
            ).directory
        else:
            try:
                look_for(name)
            except ModelError as error:
                known = ", ".join(PUBLISHED)
                print(f"models fetch: {error}; toxicity models: {known}", file=sys.stderr)
                return 2
            directory = locate(name, data_dir).directory
    except ModelError as error:
        print(f"models fetch: {error}", file=sys.stderr)
        return 1
    finally:
        progress.end()
    print(name, directory, sep="\t")
    return 0
