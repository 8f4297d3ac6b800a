"""The server as a process: killed and started again, stopped in order, and what keeps it from starting."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import fcntl
import ipaddress
import os
import signal
import socket
import sqlite3
import ssl
import time
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.web.client import CONSENT, QUICK, serving
from tests.web.processes import process, seat
from voice import serve
from voice.store import store
from voice.store.file import MAGIC

if TYPE_CHECKING:
    from pathlib import Path


async def table(address: str, **options: Any) -> str:
    """A table; its owner's token."""
    async with httpx.AsyncClient(base_url=address) as http:
        body = {"name": "Club", "display_name": "Anna", "options": options, **CONSENT}
        return str((await http.post("/api/tables", json=body)).json()["token"])


async def test_killed_and_started_again_the_same_game_goes_on(tmp_path: Path) -> None:
    async with process(tmp_path) as first:
        await first.listens()
        token = await table(first.address, **{**QUICK, "agreement_s": 0.5, "speech_s": 0.5})
        long = await table(first.address)
        anna = await seat(first.address, token)
        await anna.of("lobby")
        await anna.send(type="start")
        boris = await seat(first.address, long)
        await boris.of("lobby")
        dealt_s = time.monotonic()
        await boris.send(type="start")
        await boris.event("phase")
        await anna.until(lambda frame: frame.get("n", 0) >= 9)
        await asyncio.sleep(1.1)  # a heartbeat
        lived_s = time.monotonic() - dealt_s
        first.child.send_signal(signal.SIGKILL)
        await first.child.wait()
        for client in (anna, boris):
            await client.end()
    have = anna.numbered
    await asyncio.sleep(2.0)
    spawned_s = time.monotonic()
    async with process(tmp_path) as second:
        await second.listens()
        back = await seat(second.address, long, after=boris.numbered[-1]["n"])
        welcome = await back.of("welcome")
        # The table's time stood still while there was no server.
        assert welcome["state"] == "running"
        assert welcome["now"] <= lived_s + time.monotonic() - spawned_s
        again = await seat(second.address, token, after=have[-1]["n"])
        await again.event("over")
        numbers = [frame["n"] for frame in have + again.numbered]
        assert numbers == list(range(1, len(numbers) + 1))
        times = [frame["event"]["t"] for frame in have + again.numbered if frame["type"] == "event"]
        assert times == sorted(times)
        whole = await seat(second.address, token)
        await whole.event("over")
        assert whole.numbered == have + again.numbered
        for client in (again, whole, back):
            await client.close()


async def test_told_to_stop_it_says_come_back_and_ends_well(tmp_path: Path) -> None:
    async with process(tmp_path) as server:
        await server.listens()
        token = await table(server.address)
        anna = await seat(server.address, token)
        await anna.of("lobby")
        await anna.send(type="start")
        await anna.of("seated")
        server.child.send_signal(signal.SIGTERM)
        assert (await anna.end())[0] == 1012
        assert await server.ends() == 0
        assert "Traceback" not in server.said
    async with process(tmp_path) as server:
        await server.listens()
        anna = await seat(server.address, token)
        assert (await anna.of("welcome"))["state"] == "running"
        await anna.close()


async def failing(data: Path, *more: str, port: int = 0) -> tuple[int, str]:
    """A server that does not start: its exit status and the one line it says."""
    async with process(data, *more, port=port) as server:
        status = await server.ends()
        lines = server.said.strip().splitlines()
        assert len(lines) == 1, server.said
        return status, lines[0]


@pytest.mark.parametrize("workers", [0, 1])
async def test_libraries_that_the_voice_does_not_know_are_told_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Whoever runs the server learns it then, and not from the first player."""
    (tmp_path / "sitecustomize.py").write_text("from voice.media import peer\npeer.PINS['aioice'] = '0.0.1'\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with process(tmp_path, "--media-workers", str(workers)) as server:
        await server.listens()
        if workers:
            assert server.child.stderr is not None
            async with asyncio.timeout(60):
                while "selftest_failed" not in server.said:
                    server.said += (await server.child.stderr.readline()).decode()
        assert "knows aioice 0.0.1, and" in server.said
        assert "several times the CPU" in server.said


async def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, line = await failing(tmp_path, port=port)
    assert status == 1
    assert str(port) in line


async def test_a_misspelt_variable_is_named_and_the_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOICETABLE_UDP_PROTS", "50000-50100")
    monkeypatch.setenv("VOICETABLE_TESTS_SKIP_NOTHING", "1")
    async with process(tmp_path) as server:
        await server.listens()
        told = [line for line in server.said.splitlines() if "VOICETABLE_" in line]
        assert told == ["serve: VOICETABLE_UDP_PROTS is no setting and does nothing; is VOICETABLE_UDP_PORTS meant?"]


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, **given: Any) -> tuple[int, str]:
    """A server that does not start, in this process: its exit status and the one line it says."""
    monkeypatch.setattr(serve, "configure_logs", lambda: None)
    status = serve.run({"port": 0, "speech": False, **given})
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    return status, lines[0]


def test_a_folder_that_another_server_uses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    descriptor = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    status, line = refused(capsys, monkeypatch, data=tmp_path)
    os.close(descriptor)
    assert status == 1
    assert "another server" in line


@pytest.mark.parametrize(
    "content", [b"hello, I am a text file and no database", MAGIC + b"\x00" * 84 + b"rubbish" * 2000]
)
def test_a_database_that_is_none_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    file = tmp_path / "voicetable.sqlite3"
    file.write_bytes(content)
    status, line = refused(capsys, monkeypatch, data=tmp_path)
    assert status == 1
    assert str(file) in line
    assert "backup" in line
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"lang": "xx"}, "--lang"),
        ({"port": 70000}, "--port"),
        ({"nonsense": 1}, "nonsense"),
        ({"tls_cert": "none.pem"}, "--tls-key"),
        ({"tls_cert": "none.pem", "tls_key": "none.pem"}, "none.pem"),
        ({"data": "/dev/null/data"}, "--data"),
        ({"host": "no.such.host.invalid"}, "--host"),
        ({"db": "postgresql://u:secret@h/d"}, "--db"),
        ({"db": "sqlite://"}, "--db"),
        ({"db": "x"}, "--db"),
        ({"public_url": "nonsense"}, "--public-url"),
        ({"public_url": "https://["}, "--public-url"),
        ({"public_url": "ftp://table.example.org"}, "--public-url"),
        ({"origins": ["http://a.example", "a page"]}, "--origins"),
        ({"host": "\u0451" * 70}, "--host"),
        ({"host": ""}, "--host"),
        ({"speech": True, "asr": "/no/such/model"}, "--asr"),
        ({"speech": True, "asr": "no-such-model"}, "--asr"),
        ({"speech": True, "asr": ""}, "--asr"),
        ({"speech": True, "asr": "~nobody-here/x"}, "--asr"),
        ({"speech": True, "asr": "x" * 5000}, "--asr"),
        ({"device": "abacus"}, "--device"),
        ({"speech": True, "asr_compute_type": "float3"}, "--asr-compute-type"),
        ({"speech": True, "asr_compute_type": ""}, "--asr-compute-type"),
        ({"recogniser": "no_such_module_here"}, "--recogniser"),
        ({"recogniser": "../mine"}, "--recogniser"),
    ],
)
def test_bad_settings_are_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    given: dict[str, Any],
    named: str,
) -> None:
    status, line = refused(capsys, monkeypatch, **{"data": tmp_path / "data", **given})
    assert status == 2
    assert line.startswith("serve: ")
    assert named in line
    assert "secret" not in line


def test_a_database_of_a_later_version_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "voicetable.sqlite3")) as database:
        database.execute("create table alembic_version (version_num varchar(32) not null primary key)")
        database.execute("insert into alembic_version values ('9999')")
        database.commit()
    status, line = refused(capsys, monkeypatch, data=tmp_path)
    assert status == 1
    assert "later version" in line


@pytest.mark.parametrize("name", ["VOICETABLE_ORIGINS", "VOICETABLE_ICE_SERVERS"])
def test_a_bad_environment_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "no JSON")
    status, line = refused(capsys, monkeypatch, data=tmp_path)
    assert status == 2
    assert name.removeprefix("VOICETABLE_").lower() in line


def test_a_database_that_another_program_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY_MS", 50)
    with contextlib.closing(sqlite3.connect(tmp_path / "voicetable.sqlite3", isolation_level=None)) as other:
        other.execute("pragma journal_mode=wal")
        other.execute("begin exclusive")
        status, line = refused(capsys, monkeypatch, data=tmp_path)
    assert status == 1
    assert "locked" in line
    assert "Traceback" not in line


@pytest.mark.parametrize("secret", ["x", "", "a b" * 20, "\u044f" * 40, "a\nb" * 20])
def test_a_secret_that_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    (tmp_path / "secret").write_text(secret)
    status, line = refused(capsys, monkeypatch, data=tmp_path)
    assert status == 1
    assert str(tmp_path / "secret") in line


async def test_with_a_certificate_it_speaks_tls(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    made = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    cert, key_file = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    trust = ssl.create_default_context(cafile=str(cert))
    async with (
        serving(tmp_path / "data", tls_cert=cert, tls_key=key_file) as server,
        httpx.AsyncClient(base_url=server.address, verify=trust) as http,
    ):
        assert server.address.startswith("https://")
        answer = await http.get("/api/health")
        assert answer.json()["ok"] is True
        assert "strict-transport-security" in answer.headers
