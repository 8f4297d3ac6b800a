"""The machine's microphones and loudspeakers, by sounddevice (the extra `mic`), which is imported when it is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

HOW = (
    "pip install 'voicetable[mic]' (on Debian and Ubuntu also: apt install libportaudio2), "
    "or use files: --input FILE --output FILE.wav"
)


class DeviceError(Exception):
    """No such device, or none can be used; `why` in a few words, the message with what to do."""

    def __init__(self, why: str, todo: str) -> None:
        super().__init__(f"{why}: {todo}")
        self.why = why


@dataclass(frozen=True, slots=True)
class Device:
    """One of the machine's: its number for `--input` and `--output`, and how many channels it has each way."""

    number: int
    name: str
    inputs: int
    outputs: int
    default_input: bool
    default_output: bool


def load() -> Any:
    """The module sounddevice. Raises DeviceError where it is absent, or PortAudio is."""
    try:
        import sounddevice
    except ImportError as error:
        raise DeviceError("sounddevice is not installed", HOW) from error
    except OSError as error:  # the wheel of Linux has no PortAudio inside
        raise DeviceError("the PortAudio library is not installed", HOW) from error
    return sounddevice


def list_devices() -> list[Device]:
    """All devices. Raises DeviceError."""
    sounddevice = load()
    try:
        found = sounddevice.query_devices()
        preferred = sounddevice.default.device
    except sounddevice.PortAudioError as error:
        raise DeviceError(
            f"the audio system does not answer ({error})", "use files: --input FILE --output FILE"
        ) from error
    return [
        Device(
            number,
            str(each["name"]),
            int(each["max_input_channels"]),
            int(each["max_output_channels"]),
            number == preferred[0],
            number == preferred[1],
        )
        for number, each in enumerate(found)
    ]


def choose(wanted: str | None, *, output: bool) -> Device:
    """The device of that number or a part of its name; the machine's default where None. Raises DeviceError."""
    kind = "loudspeaker" if output else "microphone"
    option = "--output" if output else "--input"
    fit = [each for each in list_devices() if (each.outputs if output else each.inputs)]
    if not fit:
        raise DeviceError(f"this machine has no {kind}", f"connect one, or use {option} FILE or {option} null")
    if wanted is None:
        return next((each for each in fit if (each.default_output if output else each.default_input)), fit[0])
    for each in fit:
        if wanted == str(each.number):
            return each
    named = [each for each in fit if wanted.lower() in each.name.lower()]
    if len(named) == 1:
        return named[0]
    found = "; ".join(f"{each.number} {each.name}" for each in named or fit)
    why = f"{option} {wanted}: {'several devices have that name' if named else f'no {kind} and no file has that name'}"
    raise DeviceError(why, f"expected one of: {found}")
