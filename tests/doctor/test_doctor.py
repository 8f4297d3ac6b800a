"""`voicetable doctor`: what it finds on a good host, and each thing it finds missing."""

from __future__ import annotations

import datetime
import hashlib
import json
import sqlite3
import string
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.coturn_here import HOW_TO_GET_ONE, SECRET, coturn, find_coturn
from tests.web.client import serving
from voice.doctor import call, host, network, parts
from voice.doctor.outside import check_from_outside
from voice.doctor.words import WORDS
from voice.media.errors import MediaError
from voice.media.ports import PortRange, bind
from voice.media.settings import MediaSettings
from voice.settings import Settings
from voice.store import Store
from voice.wiring import media_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from voice.doctor.finding import Finding

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voice.cli.main", "doctor", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


async def collect(findings: AsyncIterator[Finding]) -> list[Finding]:
    return [each async for each in findings]


def states(findings: Iterable[Finding]) -> dict[str, str]:
    return {each.code: each.state for each in findings}


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_good_host(tmp_path: Path, lang: str) -> None:
    made = tmp_path / "findings.json"
    ran = run("--data", str(tmp_path / "data"), "--lang", lang, "--json", str(made), "--udp-ports", "20100-20130")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    document = json.loads(made.read_text())
    assert document["ok"]
    checks = {each["check"] for each in document["findings"]}
    assert checks >= {
        *("models", "database", "broker", "disk", "gpu", "audio devices", "clock", "open files", "cores"),
        *("tls", "udp ports", "voice", "public address", "turn"),
    }
    for each in document["findings"]:
        assert each["said"] in ran.stdout
    assert not (tmp_path / "data").exists(), "nothing is left behind"


def test_a_host_that_lacks_things(tmp_path: Path) -> None:
    made = tmp_path / "findings.json"
    ran = run(
        *("--data", str(tmp_path / "data"), "--host", "203.0.113.1", "--device", "cuda", "--json", str(made)),
        *("--listen-address", "203.0.113.77", "--turn", "turn:127.0.0.1:9", "--turn-secret", "x", "--asr", "off"),
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    failed = {each["code"] for each in json.loads(made.read_text())["findings"] if each["state"] == "fail"}
    assert failed == {"no_tls", "gpu_asked", "no_call", "turn_no_relay"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--udp-ports", "many"), "doctor: --udp-ports: expected"),
        (("--lang", "de"), "--lang must be en or ru"),
        (("--json", "/no/such/folder/x.json"), "doctor: --json: cannot write '/no/such/folder/x.json'"),
        (("--from-outside", "table.example.org"), "https://table.example.org"),
        (("--from-outside", "http://127.0.0.1:9"), "--token"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], said: str) -> None:
    ran = run(*arguments)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert said in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_every_sentence_has_both_languages_and_the_same_facts() -> None:
    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for code, words in WORDS.items():
        assert set(words) == {"en", "ru"}, code
        given = {lang: names(said) | names(todo) for lang, (said, todo) in words.items()}
        assert bool(words["en"][1]) == bool(words["ru"][1]), code
        if code not in ("bad_database", "outside_no_page"):  # whose reason is one whole sentence in English
            assert given["en"] == given["ru"], code


def test_a_recogniser_of_the_hosts_own() -> None:
    assert states(parts.check_models(Settings(recogniser="voice.speech.windowed", asr="its/own"))) == {
        "recognisers": "ok",
        "recogniser": "ok",
    }
    found = states(parts.check_models(Settings(recogniser="no_such_module_here", asr_workers=32)))
    assert found == {"many_recognisers": "warn", "bad_recogniser": "fail"}


def test_a_compute_type_that_the_device_does_or_not() -> None:
    assert states(parts.check_models(Settings(asr_compute_type="float32")))["compute_type"] == "ok"
    assert states(parts.check_models(Settings(asr_compute_type="float3")))["bad_compute_type"] == "fail"


def test_a_toxicity_model_that_is_there_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert states(parts.check_toxicity(Settings())) == {}
    assert states(parts.check_toxicity(Settings(toxicity="/no/such/folder"))) == {"bad_toxicity": "fail"}
    monkeypatch.setattr("models.toxicity.find.PACKAGES", ())
    told = states(parts.check_toxicity(Settings(toxicity="multilingual", data=tmp_path)))
    assert told == {"toxicity_to_fetch": "warn"}
    for name in ("made.ckpt", "config.json", "vocab.txt"):
        (tmp_path / name).write_text(name)
    assert states(parts.check_toxicity(Settings(toxicity=str(tmp_path)))) == {"bad_toxicity": "fail"}
    (tmp_path / "made.ckpt").rename(tmp_path / f"made-{hashlib.sha256(b'made.ckpt').hexdigest()}.ckpt")
    assert states(parts.check_toxicity(Settings(toxicity=str(tmp_path), data=tmp_path / "data"))) == {"toxicity": "ok"}


# --- ports


def test_a_range_that_is_taken(free_range: PortRange) -> None:
    media = MediaSettings(addresses=("127.0.0.1",), ports=free_range)
    assert states(network.check_ports(media))["few_ports"] == "warn"
    taken = [bind("127.0.0.1", free_range) for _ in range(len(free_range))]
    try:
        assert states(network.check_ports(media))["few_ports"] == "fail"
    finally:
        for each in taken:
            each.close()


@pytest.fixture
def free_range() -> PortRange:
    for first in range(21_000, 30_000, 3):
        ports = PortRange(first, first + 2)
        taken = []
        try:
            taken = [bind("127.0.0.1", ports) for _ in range(3)]
        except (MediaError, OSError):
            continue
        finally:
            for each in taken:
                each.close()
        return ports
    raise AssertionError("no three free UDP ports in a row")


# --- the certificate


def certificate(
    folder: Path, name: str = "table.example.org", since: int = -1, until: int = 90, own: bool = False
) -> dict[str, Path]:
    """A certificate and its key, from `since` to `until` days from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer = subject if own else x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority")])
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now + datetime.timedelta(days=since))
        .not_valid_after(now + datetime.timedelta(days=until))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = {"tls_cert": folder / "cert.pem", "tls_key": folder / "key.pem"}
    paths["tls_cert"].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths["tls_key"].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


@pytest.mark.parametrize(
    ("made", "public_url", "code", "state"),
    [
        ({}, "https://table.example.org", "tls", "ok"),
        ({"name": "*.example.org"}, "https://table.example.org", "tls", "ok"),
        ({"name": "*.example.org"}, "https://a.table.example.org", "tls_name", "fail"),
        ({"name": "other.example.org"}, "https://table.example.org", "tls_name", "fail"),
        ({"since": -30, "until": -1}, None, "tls_expired", "fail"),
        ({"since": 2}, None, "tls_early", "fail"),
        ({"until": 5}, None, "tls_soon", "warn"),
        ({"own": True}, None, "tls_own", "warn"),
    ],
)
def test_certificates(tmp_path: Path, made: dict[str, Any], public_url: str | None, code: str, state: str) -> None:
    found = parts.check_tls(Settings(**certificate(tmp_path, **made), public_url=public_url))
    assert (found.code, found.state) == (code, state), found.said("en")


def test_a_key_of_another_certificate(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = certificate(tmp_path / "one"), certificate(tmp_path / "two")
    found = parts.check_tls(Settings(tls_cert=one["tls_cert"], tls_key=two["tls_key"]))
    assert (found.code, found.state) == ("tls_unusable", "fail")


# --- the database


async def test_databases(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    assert (await parts.check_database(settings)).code == "new_database"
    store = await Store.open(settings.database)
    try:
        assert (await parts.check_database(settings)).code == "database", "also while a server has it open"
    finally:
        await store.close()
    path = tmp_path / "voicetable.sqlite3"
    with sqlite3.connect(path) as connection:
        assert not connection.execute("SELECT * FROM sqlite_master WHERE name = 'voicetable_doctor'").fetchall()
        connection.execute("UPDATE alembic_version SET version_num = 'of the future'")
    connection.close()
    assert (await parts.check_database(settings)).state == "fail"
    path.write_bytes(b"not a database at all" * 100)
    found = await parts.check_database(settings)
    assert found.state == "fail"
    assert "not a SQLite database" in found.said("en")
    assert (await parts.check_database(Settings(db="mysql://x/y"))).state == "fail"


# --- clock, disk


def test_a_clock_that_is_wrong() -> None:
    assert host.clock(86_400.0, kept=True).state == "fail"
    assert host.clock(time.time(), kept=False).state == "warn"
    assert host.clock(time.time(), kept=None).state == "ok"


def test_a_data_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = states(host.check_host(Settings(data=tmp_path / "file" / "data")))
    assert found["no_folder"] == "fail"


# --- the public address


async def test_a_public_address_that_leads_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call gets through by the caller's own addresses in its place."""
    monkeypatch.setattr(call, "CONNECT_S", 1.0)
    settings = Settings(public_address=["203.0.113.5"])
    found = await collect(network.check_calls(settings, media_settings(settings)))
    assert states(found) == {"call": "ok", "public_unproven": "warn"}


# --- the relay


@pytest.mark.skipif(find_coturn() is None, reason=HOW_TO_GET_ONE)
async def test_relays(tmp_path: Path) -> None:
    async with coturn(tmp_path) as url:
        for secret, code in ((SECRET, "turn"), ("another", "turn_no_relay")):
            settings = Settings(turn=[url], turn_secret=secret, listen_address=["127.0.0.1"])
            (found,) = await collect(network.check_turn(settings, media_settings(settings)))
            assert found.code == code, found.said("en")
    (found,) = await collect(network.check_turn(settings, media_settings(settings)))
    assert found.code == "turn_no_relay"


@pytest.mark.skipif(find_coturn() is None, reason=HOW_TO_GET_ONE)
async def test_relays_from_outside(tmp_path: Path) -> None:
    """The relays that a server tells its clients, with the passwords that it gives them, tried from there."""
    async with coturn(tmp_path) as url:
        for secret, code in ((SECRET, "turn"), ("another", "turn_no_relay")):
            async with serving(tmp_path / code, media=True, turn=[url], turn_secret=secret) as server:
                found = await collect(check_from_outside(server.address, server.moderator))
            assert states(found)["outside_call"] == "ok"
            assert found[-1].code == code, found[-1].said("en")


# --- from outside


async def test_from_outside(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", media=True) as server:
        found = await collect(check_from_outside(server.address, server.moderator))
        assert states(found) == {"outside_page": "ok", "outside_socket": "ok", "outside_call": "ok"}
        found = await collect(check_from_outside(server.address, "x" * 40))
        assert states(found)["outside_refused"] == "fail"
    found = await collect(check_from_outside(server.address, server.moderator))
    assert states(found) == {"outside_no_page": "fail"}


async def test_from_outside_without_a_way_for_udp(tmp_path: Path) -> None:
    """What is told to clients leads nowhere: as behind a NAT whose address nobody named."""
    async with serving(tmp_path / "data", media=True, listen_address=["127.0.0.1"]) as server:
        from voice.doctor import outside

        original = outside.call

        async def lost(answer: Any, **more: Any) -> Any:
            async def without_ours(offer: str) -> Any:
                lines = [line for line in offer.splitlines() if not line.startswith("a=candidate")]
                return await answer("\r\n".join(lines) + "\r\n")

            return await original(without_ours, **more, change=lambda sdp: sdp.replace(" 127.0.0.1 ", " 203.0.113.7 "))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(outside, "call", lost)
            patch.setattr("voice.doctor.call.CONNECT_S", 1.0)
            found = await collect(check_from_outside(server.address, server.moderator))
        assert states(found)["outside_no_call"] == "fail"


async def test_test_calls_are_few_and_end(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", media=True) as server:
        from voice.media.client import VoiceClient

        head = {"authorization": f"Bearer {server.moderator}"}
        clients = [VoiceClient() for _ in range(5)]
        codes = []
        for client in clients:
            answer = await server.http.post("/api/doctor/call", json={"sdp": await client.offer()}, headers=head)
            codes.append(answer.status_code)
            if answer.status_code == 200:
                await client.accept(answer.json()["sdp"])
        assert codes == [200, 200, 200, 200, 429]
        assert (await server.http.post("/api/doctor/call", json={"sdp": "v=0"})).status_code == 401
        for client in clients:
            await client.close()
