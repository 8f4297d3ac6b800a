"""The numbers of the media plane."""

from __future__ import annotations

from dataclasses import dataclass

from .ports import PortRange  # noqa: TC001 - the workers' decoder reads the types of the fields

MAX_SLOTS = 10


@dataclass(frozen=True, slots=True)
class TurnServer:
    """A relay for a client's own end, as a browser takes it."""

    urls: tuple[str, ...]
    username: str | None = None
    credential: str | None = None


@dataclass(frozen=True, slots=True)
class MediaSettings:
    """Every limit and time of the media plane; the defaults suit a table of ten on one machine."""

    loopback: bool = True
    """Offer 127.0.0.1 as a host candidate too: aioice leaves it out, and without a network there is nothing else."""
    addresses: tuple[str, ...] | None = None
    """Local addresses to listen on; None for all of the machine's."""
    ports: PortRange | None = None
    """The UDP ports to use; None for any the system gives."""
    public_addresses: tuple[str, ...] = ()
    """Addresses that 1:1 NAT maps to this machine's: told to clients beside the local ones of the same kind."""
    turn: tuple[TurnServer, ...] = ()
    """For a client's end alone: a server needs no relay."""
    relay_only: bool = False
    """For a client's end alone: use nothing but the relay."""
    connect_timeout_s: float = 10.0
    """A peer that is not connected by then is closed: aioice by itself would wait for ever."""
    close_timeout_s: float = 2.0
    """How long a connection may take to close before its sockets are torn down."""
    silent_after_s: float = 5.0
    """A link is told as dead when not one datagram of its peer came for so long (ICE consent takes 30 s to notice)."""
    probe_after_s: float = 2.0
    """A peer that was silent for so long is asked for a sign of life."""
    slots: int = 3
    """Speakers that are heard at once where several microphones are open, 1 to 10; a client may ask for fewer."""
    packets_per_s: float = 120.0
    """Input limit of one peer: speech is 50 packets/s, 100 with 10 ms frames."""
    packets_burst: float = 240.0
    bytes_per_s: float = 32_000.0
    """Input limit of one peer in bytes: we ask for 32 kbit/s, which is 4 kB/s; stock clients send up to 12 kB/s."""
    bytes_burst: float = 64_000.0
    moderators: int = 20
    """Listening moderators at one table."""
    offers_burst: float = 10.0
    """Offers of one viewer that are answered at once; then one every `1 / offers_per_s`."""
    offers_per_s: float = 0.5
    handshakes_per_s: float = 20.0
    """New connections of the whole process; each costs 4 to 7 ms of the event loop."""
    handshakes_burst: float = 20.0
    handshake_wait_s: float = 8.0
    """Who would wait longer for their turn is told to offer again."""
    flood_packets_per_s: float = 400.0
    """A peer of which so many packets a second are dropped above its input limit, `flood_s` long, is cut off."""
    flood_s: int = 3
    cut_off_s: float = 30.0
    """For so long the offers of who was cut off are refused."""

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if not 1 <= self.slots <= MAX_SLOTS:
            raise ValueError(f"expected 1 to {MAX_SLOTS} slots, got {self.slots}")
