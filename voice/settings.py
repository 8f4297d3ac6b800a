"""What a server can be told: by the command line, else by `VOICETABLE_...` in the environment, else the defaults."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


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


Page = Annotated[str, AfterValidator(_page)]


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
    ice_servers: list[IceServer] = []
    lang: Literal["en", "ru"] = "en"
    asr: str | None = Field(default=None, description="a speech model by name or folder; 'off' for none")
    device: Literal["cpu", "cuda"] = "cpu"
    speech: bool = True
    media: bool = True
    invite_s: int = Field(default=7 * 86400, ge=60, description="how long an invitation holds, s")
    rate_limits: bool = True

    @model_validator(mode="after")
    def _both_or_none(self) -> Settings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("--tls-cert and --tls-key go together: expected both or neither")
        return self

    @property
    def database(self) -> str:
        """The database's address."""
        return self.db if self.db is not None else f"sqlite:///{self.data / 'voicetable.sqlite3'}"
