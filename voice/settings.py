"""What a server can be told: by the command line, else by `VOICETABLE_...` in the environment, else the defaults."""

from __future__ import annotations

import ipaddress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from voice.media.ports import PortRange, resolve
from voice.media.workers.count import MOST, workers_by_default
from voice.speech.count import MOST as MOST_RECOGNISERS
from voice.speech.count import workers_by_default as recognisers_by_default

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

NO_SPEECH: Final = "off"  # --asr off


def _page(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good or not url.isprintable() or " " in url:
        raise ValueError(f"expected an address such as https://table.example.org, got {url!r}")
    return url


def _folder(path: object) -> object:
    if path == "":
        raise ValueError("expected a folder, got an empty name")
    return path


def _ports(given: object) -> object:
    return PortRange.of(given) if isinstance(given, str) else given


def _separate(given: object) -> object:
    """A list from the environment: `a, b`."""
    return [each.strip() for each in given.split(",") if each.strip()] if isinstance(given, str) else given


def _local(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError as error:
        raise ValueError(f"expected an IP address of this machine, got {address!r}") from error
    if parsed.is_unspecified:
        raise ValueError(f"{address} means all addresses, which is what you get by leaving this out")
    return str(parsed)


def _public(name: str) -> str:
    resolve(name)
    return name


def _turn(url: str) -> str:
    scheme, _, rest = url.partition(":")
    host, _, query = rest.partition("?")
    good = (
        scheme in ("turn", "turns")
        and bool(host)
        and not host.startswith("/")
        and url.isprintable()
        and " " not in url
        and query in ("", "transport=udp", "transport=tcp")
    )
    if not good:
        raise ValueError(f"expected an address such as turn:turn.example.org:3478?transport=udp, got {url!r}")
    return url


Page = Annotated[str, AfterValidator(_page)]
TurnUrl = Annotated[str, AfterValidator(_turn)]
LocalAddress = Annotated[str, AfterValidator(_local)]
PublicAddress = Annotated[str, AfterValidator(_public)]


class IceServer(BaseModel):
    """A STUN or TURN server, as a browser takes it."""

    urls: list[str]
    username: str | None = None
    credential: str | None = None


class Settings(BaseSettings):
    """Settings of `voicetable serve`; the defaults need nothing else."""

    model_config = SettingsConfigDict(env_prefix="VOICETABLE_", extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    data: Annotated[Path, BeforeValidator(_folder)] = Path("data")
    db: str | None = Field(default=None, description="sqlite:///PATH; in the data folder by default")
    tls_cert: Path | None = None
    tls_key: Path | None = None
    public_url: Page | None = Field(
        default=None, description="the address people open, where a proxy stands before the server"
    )
    origins: list[Page] = Field(default=[], description="further pages that may talk to this server")
    udp_ports: Annotated[PortRange | None, BeforeValidator(_ports)] = Field(
        default=None, description="the UDP ports of the voice, such as 20000-20200; any where absent"
    )
    listen_address: Annotated[list[LocalAddress], NoDecode, BeforeValidator(_separate)] = Field(
        default=[], description="the local addresses of the voice; all and loopback where absent"
    )
    public_address: Annotated[list[PublicAddress], NoDecode, BeforeValidator(_separate)] = Field(
        default=[], description="addresses or names that a 1:1 NAT maps to this machine"
    )
    slots: int = Field(default=3, ge=1, le=10, description="how many speakers are heard at once in an open discussion")
    media_workers: int | None = Field(
        default=None,
        ge=0,
        le=MOST,
        description="processes that carry the voice; 0 for the server's own; by default one a core beside its own",
    )
    ice_servers: list[IceServer] = []
    turn: Annotated[list[TurnUrl], NoDecode, BeforeValidator(_separate)] = Field(
        default=[], description="addresses of a TURN server, for players behind strict firewalls"
    )
    turn_secret: str | None = Field(default=None, description="coturn's static-auth-secret, for passwords that expire")
    turn_user: str | None = None
    turn_password: str | None = None
    turn_ttl_s: int = Field(default=86_400, ge=10, description="how long a password of `turn_secret` holds, s")
    lang: Literal["en", "ru"] = "en"
    asr: str | None = Field(default=None, description="a speech model by name or folder; 'off' for none")
    device: Literal["cpu", "cuda"] = "cpu"
    asr_compute_type: str | None = Field(
        default=None, description="float16, int8_float32, ...; by default int8, and with CUDA int8_float16"
    )
    asr_workers: int | None = Field(
        default=None,
        ge=1,
        le=MOST_RECOGNISERS,
        description="recogniser processes; by default one a core, four at most, and with CUDA one a GPU",
    )
    recogniser: str | None = Field(default=None, description="a Python module that recognises speech in place of ours")
    sentences: bool = Field(default=True, description="second opinions of the embedded model that knows sentences")
    toxicity: str | None = Field(
        default=None, description="a model for second opinions on lines, by name or folder (extra `detoxify`)"
    )
    toxicity_device: Literal["cpu", "cuda"] | None = Field(default=None, description="by default as `device`")
    speech: bool = True
    media: bool = True
    invite_s: int = Field(default=7 * 86400, ge=60, description="how long an invitation holds, s")
    transcript_days: float = Field(
        default=30,
        ge=0,
        le=3650,
        description="for how many days after a game those who played can read what was said; then it is deleted",
    )
    evidence_days: float = Field(
        default=30,
        ge=0.01,
        le=3650,
        description="for how many days a flagged or reported line is kept with its clip; then both are deleted",
    )
    clip_memory_s: float = Field(
        default=60, ge=0, le=600, description="for how long sound is remembered, for clips, s; 0 for no clips at all"
    )
    clip_keys: Path | None = Field(
        default=None, description="the file with the keys of the clips; in the data folder by default"
    )
    rate_limits: bool = True

    @model_validator(mode="after")
    def _both_or_none(self) -> Settings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("--tls-cert and --tls-key go together: expected both or neither")
        return self

    @model_validator(mode="after")
    def _turn_complete(self) -> Settings:
        pair = self.turn_user is not None, self.turn_password is not None
        if pair[0] != pair[1]:
            raise ValueError("--turn-user and --turn-password go together: expected both or neither")
        if self.turn_secret is not None and pair[0]:
            raise ValueError("expected --turn-secret, or --turn-user with --turn-password, and got both")
        if self.turn and self.turn_secret is None and not pair[0]:
            raise ValueError("--turn needs --turn-secret, or --turn-user with --turn-password: no relay works without")
        if not self.turn and (self.turn_secret is not None or pair[0]):
            raise ValueError("credentials of a TURN server came without its address: expected --turn too")
        return self

    @property
    def workers(self) -> int:
        """How many media workers there are to be; 0: the voice is carried by the server's own process."""
        if not self.media:
            return 0
        return workers_by_default() if self.media_workers is None else self.media_workers

    @property
    def recognisers(self) -> int:
        """How many recogniser processes there are to be; 0 without speech recognition."""
        if not self.speech or self.asr == NO_SPEECH:
            return 0
        return recognisers_by_default(self.device) if self.asr_workers is None else self.asr_workers

    @property
    def database(self) -> str:
        """The database's address."""
        return self.db if self.db is not None else f"sqlite:///{self.data / 'voicetable.sqlite3'}"


def misspelt(environment: Iterable[str]) -> dict[str, str]:
    """Names that are no setting's and look like one's, each with that one."""
    known = {f"VOICETABLE_{name.upper()}" for name in Settings.model_fields}
    near = {
        name: get_close_matches(name, known, n=1, cutoff=0.85)
        for name in environment
        if name.startswith("VOICETABLE_") and name not in known
    }
    return {name: found[0] for name, found in near.items() if found}


def complaint(error: ValidationError, given: Collection[str]) -> str:
    """The first fault in one line, by the name that it was set with: an option's (`given`), else the environment's."""
    first = error.errors()[0]
    ours = first["type"] == "value_error"
    said = first["msg"].removeprefix("Value error, ") if ours else f"{first['msg']}, got {first['input']!r}"
    if not first["loc"]:
        return said
    name = str(first["loc"][0])
    return f"{'--' + name.replace('_', '-') if name in given else 'VOICETABLE_' + name.upper()}: {said}"
