"""What the server is made of: models, database, certificate, broker."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import ssl
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from models.catalogue import EMBEDDED
from models.compute import check_compute_type
from models.errors import ModelError
from models.store import look_for
from models.verifying import verify
from voice.processes.cores import cores
from voice.speech.loading import look_at

from .finding import fail, ok, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cryptography.x509 import Certificate

    from voice.settings import Settings

    from .finding import Finding

SOON_DAYS: Final = 14


def check_models(settings: Settings) -> Iterator[Finding]:
    """The speech models that the settings name: there, and with their checksums where they are embedded."""
    name = settings.asr
    if name == "off" or not settings.speech:
        yield warn("models", "no_captions")
        return
    yield _processes(settings)
    if settings.asr_compute_type is not None and settings.recogniser is None:
        yield _compute_type(settings.device, settings.asr_compute_type)
    if settings.recogniser is not None:
        yield _recogniser(settings.recogniser)
        return
    if name is not None and name not in EMBEDDED:
        yield _other_model(name)
        return
    count = 0
    for each in verify(settings.data):
        count += 1
        if each.problem:
            yield fail("models", "bad_model", path=each.path, why=each.problem)
            return
    yield ok("models", "models", count=count)


def _processes(settings: Settings) -> Finding:
    count, here = settings.recognisers, cores()
    if settings.device == "cpu" and count > here:
        return warn("models", "many_recognisers", count=count, cores=here)
    return ok("models", "recognisers", count=count)


def _compute_type(device: str, compute_type: str) -> Finding:
    try:
        check_compute_type(device, compute_type)
    except ModelError as error:
        return fail("models", "bad_compute_type", why=str(error))
    return ok("models", "compute_type", name=compute_type, device=device)


def _recogniser(module: str) -> Finding:
    try:
        look_at(module)
    except ModelError as error:
        return fail("models", "bad_recogniser", why=str(error))
    return ok("models", "recogniser", name=module)


def _other_model(name: str) -> Finding:
    try:
        look_for(name)
    except ModelError as error:
        return fail("models", "bad_model", path=name, why=str(error))
    if Path(name).is_dir():
        return ok("models", "other_model", name=name)
    return warn("models", "model_to_fetch", name=name)


async def check_database(settings: Settings) -> Finding:
    """Open the database as the server would, on a copy of it; the file itself is only asked whether it can be written.

    A server may be using it meanwhile.
    """
    from voice.store import Store, StoreError
    from voice.store.file import damage
    from voice.store.store import sqlite_path

    try:
        path = sqlite_path(settings.database)
        wrong = await asyncio.to_thread(damage, path)
        if wrong is not None:
            raise StoreError(f"the database {path} {wrong}")
        with tempfile.TemporaryDirectory(prefix="voicetable-doctor-") as folder:
            copy = Path(folder) / "copy.sqlite3"
            there = path.is_file() and path.stat().st_size > 0
            before = await asyncio.to_thread(_copy, path, copy) if there else None
            store = await Store.open(f"sqlite:///{copy}")
            await store.close()
            after = _revision(copy)
        if not there:
            _writable(path)
            return ok("database", "new_database", path=path)
        return ok("database", "database" if before == after else "old_database", path=path)
    except (StoreError, sqlite3.Error, OSError) as error:
        return fail("database", "bad_database", why=str(error), path=settings.database)


def _writable(path: Path) -> None:
    """Raises OSError where no file could be made there."""
    folder = path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    tempfile.TemporaryFile(dir=folder).close()


def _copy(path: Path, copy: Path) -> str | None:
    """Ask for the right to write, then copy it as it is at one moment; its schema's revision."""
    with (
        contextlib.closing(sqlite3.connect(path, timeout=5.0, isolation_level=None)) as source,
        contextlib.closing(sqlite3.connect(copy)) as target,
    ):
        source.execute("BEGIN IMMEDIATE")
        source.execute("CREATE TABLE voicetable_doctor (x)")
        source.execute("ROLLBACK")
        source.backup(target)
    return _revision(copy)


def _revision(path: Path) -> str | None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        try:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        except sqlite3.OperationalError:
            return None
    return None if row is None else str(row[0])


def check_broker() -> Finding:
    """No broker yet."""
    return ok("broker", "broker")


def check_tls(settings: Settings, now: datetime | None = None) -> Finding:
    """The certificate: whether it fits its key, holds, and is for the name that people open."""
    if settings.tls_cert is None or settings.tls_key is None:
        return _without_tls(settings)
    from cryptography import x509

    cert, key = settings.tls_cert, settings.tls_key
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
        found = x509.load_pem_x509_certificate(cert.read_bytes())
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        return fail("tls", "tls_unusable", cert=cert, key=key, why=str(error))
    return _dates(found, cert, settings, now or datetime.now(UTC))


def _dates(found: Certificate, cert: Path, settings: Settings, now: datetime) -> Finding:
    names = _names(found)
    days = (found.not_valid_after_utc - now).days
    if now > found.not_valid_after_utc:
        return fail("tls", "tls_expired", cert=cert, until=f"{found.not_valid_after_utc:%Y-%m-%d}")
    if now < found.not_valid_before_utc:
        return fail("tls", "tls_early", cert=cert, since=f"{found.not_valid_before_utc:%Y-%m-%d}")
    host = urlsplit(settings.public_url).hostname if settings.public_url else None
    if host is not None and not any(_fits(host, name) for name in names):
        return fail("tls", "tls_name", names=", ".join(names) or "-", host=host)
    if days < SOON_DAYS:
        return warn("tls", "tls_soon", cert=cert, days=days)
    if found.issuer == found.subject:
        return warn("tls", "tls_own", cert=cert)
    return ok("tls", "tls", days=days, names=", ".join(names))


def _names(found: Certificate) -> list[str]:
    from cryptography import x509

    try:
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [str(each.value) for each in names if isinstance(each, x509.DNSName | x509.IPAddress)]


def _fits(host: str, name: str) -> bool:
    """RFC 6125: a star stands for one label, the first."""
    if name.startswith("*."):
        return host.partition(".")[2].lower() == name[2:].lower()
    return host.lower() == name.lower()


def _without_tls(settings: Settings) -> Finding:
    if settings.public_url is not None and settings.public_url.startswith("https://"):
        return ok("tls", "tls_elsewhere", url=settings.public_url)
    if settings.host in ("127.0.0.1", "::1", "localhost"):
        return warn("tls", "no_tls_local", address=f"http://localhost:{settings.port}")
    return fail("tls", "no_tls")
