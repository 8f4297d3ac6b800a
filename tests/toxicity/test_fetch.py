"""Published models are fetched whole or not at all: from a server on this machine in the places of the real ones."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from models.errors import ModelError
from models.toxicity import catalogue, fetch, find
from models.toxicity.catalogue import PUBLISHED
from models.toxicity.find import directory_of, locate, verify_fetched
from models.toxicity.sums import SUMS
from voice.cli import models as cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WEIGHTS = b"weights" * 1000
NAME = f"toxic_original-{hashlib.sha256(WEIGHTS).hexdigest()[:8]}.ckpt"


class Far:
    """The other side: what it has, what it was asked, and what it does wrong."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.cut = 0
        far = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                far.asked.append(self.path)
                body = far.files.get(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("content-length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write((body or b"")[: len(body or b"") - far.cut])

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Iterator[Far]:
    made = Far()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setattr(catalogue, "RELEASES", f"{made.address}/releases")
    monkeypatch.setenv("HF_ENDPOINT", f"{made.address}/hub/")
    monkeypatch.setattr(find, "PACKAGES", ())
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    original = replace(PUBLISHED["original"], checkpoint=f"v0/{NAME}")
    monkeypatch.setattr(find, "PUBLISHED", {"original": original})
    made.files[f"/releases/v0/{NAME}"] = WEIGHTS
    for name in original.files:
        made.files[f"/hub/{original.base}/resolve/{original.revision}/{name}"] = f"the {name}".encode()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def test_it_is_fetched_once_summed_and_then_offline(far: Far, tmp_path: Path) -> None:
    read: list[int] = []
    found = locate("original", tmp_path, read.append)
    assert found.directory == directory_of("original", tmp_path)
    assert found.checkpoint.read_bytes() == WEIGHTS
    assert sum(read) == sum(map(len, far.files.values()))
    assert len((found.directory / SUMS).read_text().splitlines()) == 5
    asked = len(far.asked)
    far.files.clear()
    assert locate("original", tmp_path) == found
    assert len(far.asked) == asked
    (found.directory / "vocab.txt").write_text("other")
    with pytest.raises(ModelError, match=r"vocab.txt is damaged"):
        locate("original", tmp_path)


def test_weights_that_are_not_the_named_ones_are_not_kept(far: Far, tmp_path: Path) -> None:
    far.files[f"/releases/v0/{NAME}"] = b"other"
    with pytest.raises(ModelError, match="damaged: its SHA-256 does not begin with"):
        locate("original", tmp_path)
    assert [path.name for path in (tmp_path / "models").iterdir()] == [".detoxify.lock"]


def test_a_connection_that_breaks_off_leaves_nothing(far: Far, tmp_path: Path) -> None:
    far.cut = 1
    with pytest.raises(ModelError, match=r"broke off after|can't be fetched \(IncompleteRead\)"):
        locate("original", tmp_path)
    assert not directory_of("original", tmp_path).exists()


def test_what_is_not_there_or_not_reached_says_what_to_do(
    far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del far.files[f"/releases/v0/{NAME}"]
    with pytest.raises(ModelError, match=r"can't be fetched \(Not Found\): go online, or give a folder"):
        locate("original", tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match="go online, or give a folder"):
        locate("original", tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(ModelError, match="go online, or give a folder"):
        locate("original", tmp_path)


def test_offline_is_offline(far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelError, match="HF_HUB_OFFLINE forbids to fetch it"):
        locate("original", tmp_path)
    assert far.asked == []


def test_too_much_is_refused(far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_BYTES", 100)
    with pytest.raises(ModelError, match="is longer than 100 bytes"):
        locate("original", tmp_path)


def test_what_one_that_died_has_left_goes(far: Far, tmp_path: Path) -> None:
    left = tmp_path / "models" / ".detoxify-original.0123456789ab.tmp"
    left.mkdir(parents=True)
    locate("original", tmp_path)
    assert not left.exists()


def test_a_data_folder_that_can_not_be_written(far: Far, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(ModelError, match="can't be fetched"):
        locate("original", tmp_path)


def test_the_commands(far: Far, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run_fetch("original", str(tmp_path)) == 0
    told = capsys.readouterr()
    assert told.out == f"original\t{directory_of('original', tmp_path)}\n"
    assert told.err == ""
    assert cli.run_list(tmp_path) == 0
    rows = {line.split("\t")[0]: line.split("\t") for line in capsys.readouterr().out.splitlines()}
    assert rows["original"][1:3] == ["en", "ready"]
    assert rows["multilingual"][2] == "to fetch"
    assert "ru" in rows["multilingual"][1].split(",")
    assert {"tiny.en", "base"} <= rows.keys()
    (directory_of("original", tmp_path) / "config.json").write_text("{}")
    assert list(verify_fetched(tmp_path)) == [
        (
            "original",
            f"{directory_of('original', tmp_path)}/config.json is damaged: its SHA-256 is not the one in {SUMS}",
        )
    ]
    far.files.clear()
    assert cli.run_fetch("original", str(tmp_path / "other")) == 1
    assert capsys.readouterr().err.startswith("models fetch: model original is not in ")
    assert cli.run_fetch("/no/such/folder", str(tmp_path)) == 2
    assert "toxicity models: original, unbiased, multilingual" in capsys.readouterr().err
