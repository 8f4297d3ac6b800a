"""Models of other kinds than the embedded ones: by folder, by name, and what is said of those that don't do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from models.errors import ModelError
from models.store import locate, look_for
from models.whisper import WindowedWhisper
from tests.models.made_whisper import make_whisper

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.speech

NOISE = np.random.default_rng(3).standard_normal(20_000).astype(np.float32) * np.float32(0.1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return locate("base", tmp_path_factory.mktemp("data")).directory


@pytest.mark.parametrize(("mels", "said"), [(80, 128), (128, 128), (128, None)])
def test_a_folder_is_heard_with_as_many_bands_as_its_model_has(
    tmp_path: Path, base: Path, mels: int, said: int | None
) -> None:
    folder = make_whisper(tmp_path / "mine", base, mels=mels, said_mels=said)
    model = WindowedWhisper(locate(str(folder), tmp_path))
    assert {"en", "ru"} <= model.languages
    heard = model.transcribe(NOISE, "ru")
    assert len(heard.words) == len(heard.text.split())
    assert model.likeliest(NOISE, ["ru", "en"]) in ("ru", "en")


@pytest.mark.parametrize("weights", ["float16", "int8_float16", "int8"])
def test_weights_of_any_kind_run_as_int8_on_a_cpu(tmp_path: Path, base: Path, weights: str) -> None:
    folder = make_whisper(tmp_path / "mine", base, weights=weights)
    located = locate(str(folder), tmp_path)
    as_it_is, as_int8 = WindowedWhisper(located, compute_type="default"), WindowedWhisper(located)
    assert as_int8.transcribe(NOISE, "en").no_speech == pytest.approx(
        as_it_is.transcribe(NOISE, "en").no_speech, abs=0.2
    )


def test_a_type_that_a_cpu_does_not_do_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not load on cpu as float16") as caught:
        WindowedWhisper(locate("tiny.en", tmp_path), compute_type="float16")
    assert "\n" not in str(caught.value)


def test_a_machine_without_cuda_is_told_in_one_line(tmp_path: Path) -> None:
    import ctranslate2

    if ctranslate2.get_cuda_device_count():
        pytest.skip("this machine has CUDA")
    with pytest.raises(ModelError, match="does not load on cuda as int8_float16") as caught:
        WindowedWhisper(locate("tiny.en", tmp_path), device="cuda")
    assert "\n" not in str(caught.value)


def test_the_tokenizer_of_another_model_is_refused(tmp_path: Path, base: Path) -> None:
    folder = make_whisper(tmp_path / "mine", base)
    other = locate("tiny.en", tmp_path).directory / "tokenizer.json"
    (folder / "tokenizer.json").write_bytes(other.read_bytes())
    with pytest.raises(ModelError, match=r"tokenizer\.json is another model's"):
        WindowedWhisper(locate(str(folder), tmp_path))


@pytest.mark.parametrize("missing", ["config.json", "model.bin", "tokenizer.json"])
def test_a_folder_without_a_file_is_told_which(tmp_path: Path, base: Path, missing: str) -> None:
    folder = make_whisper(tmp_path / "mine", base)
    (folder / missing).unlink()
    with pytest.raises(ModelError, match=f"{missing} missing"):
        look_for(str(folder))


def test_a_preprocessor_that_is_no_json_changes_nothing(tmp_path: Path, base: Path) -> None:
    folder = make_whisper(tmp_path / "mine", base)
    (folder / "preprocessor_config.json").write_text("{")
    assert WindowedWhisper(locate(str(folder), tmp_path)).transcribe(NOISE, "en") is not None


def test_a_preprocessor_of_another_shape_is_told_in_one_line(tmp_path: Path, base: Path) -> None:
    folder = make_whisper(tmp_path / "mine", base)
    (folder / "preprocessor_config.json").write_text(json.dumps({"feature_size": "many"}))
    with pytest.raises(ModelError, match="does not load") as caught:
        WindowedWhisper(locate(str(folder), tmp_path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["turbo", "large-v3-turbo", "large-v3", "distil-large-v3", "distil-small.en", "small"])
def test_the_hubs_names_are_known(name: str) -> None:
    look_for(name)


@pytest.mark.parametrize("name", ["turbos", "distil", "large-v9"])
def test_other_names_are_not(name: str) -> None:
    with pytest.raises(ModelError, match="there is no model"):
        look_for(name)
