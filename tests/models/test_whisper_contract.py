"""What models.whisper relies on below faster-whisper's public interface. Fails first when a pinned version is moved."""

from __future__ import annotations

import importlib.metadata
import inspect
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ctranslate2
import numpy as np
import pytest
from faster_whisper import WhisperModel
from faster_whisper.feature_extractor import FeatureExtractor
from faster_whisper.tokenizer import Tokenizer

from models.errors import ModelError
from models.inside import TESTED, check_versions
from models.store import LocatedModel, locate
from models.whisper import MAX_AUDIO_S, WindowedWhisper
from tests.speech.sound import Clip, read_clips, words_counted, words_wrong

if TYPE_CHECKING:
    from models.recognition import Recogniser

pytestmark = pytest.mark.speech


@pytest.fixture(scope="module")
def clips() -> dict[str, Clip]:
    return read_clips()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> WindowedWhisper:
    return WindowedWhisper(locate("tiny.en", tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Any:
    located = locate("tiny.en", tmp_path_factory.mktemp("data"))
    return WhisperModel(str(located.directory), device="cpu", compute_type="int8", cpu_threads=1)


def test_the_calls_take_what_we_give(inside: Any) -> None:
    tokenizer = Tokenizer(inside.hf_tokenizer, inside.model.is_multilingual, task="transcribe", language="en")
    features = inside.feature_extractor(np.zeros(8 * 16_000, np.float32), padding=0)
    assert features.shape == (80, 800)
    view = ctranslate2.StorageView.from_array(np.ascontiguousarray(features[None, :, :500], np.float32))
    encoded = inside.model.encode(view)
    assert list(encoded.shape)[:2] == [1, 250], "any window up to 30 s, not only the whole"
    prompt = list(tokenizer.sot_sequence)
    result = inside.model.generate(
        encoded, [prompt], beam_size=1, max_length=len(prompt) + 5, return_scores=True, return_no_speech_prob=True
    )[0]
    assert len(result.sequences_ids[0]) <= 5, "max_length counts the prompt"
    assert 0.0 <= result.no_speech_prob <= 1.0
    assert result.scores[0] < 0
    text = tokenizer.encode(" one two")
    aligned = inside.model.align(encoded, prompt, [text], 500)[0]
    assert len(aligned.text_token_probs) >= len(text)
    assert {token for token, _ in aligned.alignments} >= set(range(len(text)))
    assert tokenizer.timestamp_begin > tokenizer.eot
    assert tokenizer.decode(text) == " one two"
    assert tokenizer.split_to_word_tokens(text)[0] == [" one", " two"]


def test_the_tokenizer_is_made_as_we_make_it() -> None:
    assert list(inspect.signature(Tokenizer.__init__).parameters) == [
        "self", "tokenizer", "multilingual", "task", "language",
    ]  # fmt: skip


def test_the_versions_that_are_known_are_the_pinned_ones() -> None:
    pinned = (Path(__file__).parents[2] / "requirements" / "run.txt").read_text().split()
    wanted = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["dependencies"]
    for package, version in TESTED.items():
        assert f"{package}=={version}" in pinned
        assert f"{package}=={version}" in wanted
    check_versions()


@pytest.mark.parametrize("package", sorted(TESTED))
@pytest.mark.parametrize("installed", ["9.9.9", None])
def test_another_version_is_refused_before_anything_is_loaded(
    monkeypatch: pytest.MonkeyPatch, package: str, installed: str | None
) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name != package:
            return real(name)
        if installed is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(importlib.metadata, "version", version)
    with pytest.raises(ModelError, match=f"{package} {installed or 'none'} is installed, expected {TESTED[package]}"):
        WindowedWhisper(LocatedModel("mine", Path("nowhere"), None))


def test_whole_signatures_are_as_they_were() -> None:
    given = inspect.signature(WhisperModel.__init__).parameters
    assert {"model_size_or_path", "device", "compute_type", "cpu_threads", "num_workers"} <= given.keys()
    assert list(inspect.signature(FeatureExtractor.get_mel_filters).parameters) == ["sr", "n_fft", "n_mels"]
    assert "feature_size" in inspect.signature(FeatureExtractor.__init__).parameters
    assert "audio" in inspect.signature(WhisperModel.detect_language).parameters
    whisper = ctranslate2.models.Whisper
    for name, wanted in {
        "generate": ("features", "prompts", "beam_size", "num_hypotheses", "max_length", "return_scores",
                     "return_no_speech_prob", "suppress_blank: bool = True", "suppress_tokens", "[-1]",
                     "max_initial_timestamp_index: int = 50"),
        "align": ("features", "start_sequence: list[int]", "text_tokens: list[list[int]]", "num_frames"),
        "encode": ("features",),
    }.items():  # fmt: skip
        described = getattr(whisper, name).__doc__
        assert all(part in described for part in wanted), name


def test_a_loaded_model_has_what_is_read_of_it(inside: Any) -> None:
    assert isinstance(inside.model, ctranslate2.models.Whisper)
    assert (inside.model.is_multilingual, inside.model.n_mels) == (False, 80)
    assert inside.supported_languages == ["en"]
    assert inside.feature_extractor.mel_filters.shape == (80, 201)
    np.testing.assert_allclose(
        FeatureExtractor.get_mel_filters(16_000, 400, n_mels=80), inside.feature_extractor.mel_filters, atol=1e-7
    )
    assert inside.hf_tokenizer.token_to_id("<|startoftranscript|>") == 50_257


def test_a_batch_is_encoded_searched_and_aligned_row_by_row(inside: Any) -> None:
    tokenizer = Tokenizer(inside.hf_tokenizer, False, task="transcribe", language="en")
    heard = np.random.default_rng(2).standard_normal((3, 80, 500)).astype(np.float32)
    encoded = inside.model.encode(ctranslate2.StorageView.from_array(heard))
    assert list(encoded.shape) == [3, 250, 384]
    prompt = list(tokenizer.sot_sequence)
    options: dict[str, Any] = {"beam_size": 4, "num_hypotheses": 4, "max_length": 12, "return_scores": True}
    results = inside.model.generate(encoded, [prompt] * 3, return_no_speech_prob=True, **options)
    assert [len(result.sequences_ids) for result in results] == [4, 4, 4]
    assert all(list(result.scores) == sorted(result.scores, reverse=True) for result in results), "the best first"
    with pytest.raises(Exception, match="same position"):
        inside.model.generate(encoded, [[tokenizer.sot_prev, 50, *prompt], prompt, prompt], **options)
    texts = [tokenizer.encode(" one"), [], tokenizer.encode(" two three")]
    aligned = inside.model.align(encoded, prompt, texts, [400, 100, 200])
    assert len(aligned) == 3, "an empty text is no fault"
    for text, row in zip(texts, aligned, strict=True):
        assert len(row.text_token_probs) >= len(text)
        path = [(token, step) for token, step in row.alignments]
        assert path == sorted(path), "a path goes on in both"
    assert max(step for _, step in aligned[2].alignments) < 100, "steps of two frames, no padding"


def test_a_short_window_says_what_the_whole_one_does(
    tiny: WindowedWhisper, inside: Any, clips: dict[str, Clip]
) -> None:
    english = [clip for clip in clips.values() if clip.lang == "en"]
    ours = [words_wrong(clip.text, tiny.transcribe(clip.pcm, "en").text) for clip in english]
    naive = []
    for clip in english:
        segments, _ = inside.transcribe(clip.pcm, language="en", beam_size=5, temperature=0.0)
        naive.append(words_wrong(clip.text, " ".join(segment.text for segment in segments)))
    assert sum(ours) / len(ours) <= sum(naive) / len(naive) + 0.1


def test_nothing_is_said_twice_whatever_the_silence_behind(tiny: WindowedWhisper, clips: dict[str, Clip]) -> None:
    for clip in (clips["table_en_009"], clips["table_en_037"], clips["table_en_022"]):
        for silence_s in (0.0, 0.1, 0.3, 1.0, 3.0):
            pcm = np.concatenate([clip.pcm, np.zeros(round(silence_s * 16_000), np.float32)])
            heard = tiny.transcribe(pcm, "en")
            assert words_wrong(clip.text, heard.text) <= 0.25, silence_s


def test_words_carry_times_and_confidences(tiny: WindowedWhisper, clips: dict[str, Clip]) -> None:
    clip = clips["table_en_037"]
    heard = tiny.transcribe(clip.pcm, "en")
    assert " ".join(word.text for word in heard.words) == heard.text
    assert all(0.0 < word.confidence <= 1.0 for word in heard.words)
    assert all(0.0 <= word.start_s <= word.end_s <= clip.seconds for word in heard.words)
    assert [word.start_s for word in heard.words] == sorted(word.start_s for word in heard.words)
    assert heard.words[-1].start_s > 1.0
    assert tiny.transcribe(clip.pcm, "en", words=False).words == ()


def test_words_are_less_sure_where_they_are_wrong(tiny: WindowedWhisper, clips: dict[str, Clip]) -> None:
    right, wrong = [], []
    for clip in clips.values():
        if clip.lang == "en":
            said = clip.text.replace(",", "").split()
            for word in tiny.transcribe(clip.pcm, "en").words:
                bucket = right if word.text.strip(".,").lower() in said else wrong
                bucket.append(word.confidence)
    assert right
    assert sum(right) / len(right) > 0.75
    assert not wrong or sum(wrong) / len(wrong) < sum(right) / len(right)


def test_it_is_a_recogniser(tiny: WindowedWhisper) -> None:
    recogniser: Recogniser = tiny
    assert recogniser.transcribe(np.zeros(400, np.float32), "en", words=False) is not None
    assert recogniser.transcribe(np.zeros(0, np.float32), "en") is not None


def test_a_language_it_does_not_do_is_refused(tiny: WindowedWhisper) -> None:
    with pytest.raises(ModelError, match="does not do language ru"):
        tiny.transcribe(np.zeros(16_000, np.float32), "ru")


def test_an_utterance_too_long_for_any_window_is_refused(tiny: WindowedWhisper) -> None:
    with pytest.raises(ValueError, match="at most"):
        tiny.transcribe(np.zeros(round((MAX_AUDIO_S + 1) * 16_000), np.float32), "en")


def test_files_that_are_no_model_are_refused(tmp_path: Path) -> None:
    for name in ("config.json", "model.bin", "tokenizer.json", "vocabulary.txt"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(ModelError, match="does not load"):
        WindowedWhisper(LocatedModel("mine", tmp_path, None))


@pytest.mark.parametrize("name", ["config.json", "model.bin", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff" * 3000])
def test_a_model_with_one_damaged_file_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    source = locate("tiny.en", tmp_path).directory
    for path in source.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / name).unlink()
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelError, match="does not load"):
        WindowedWhisper(LocatedModel("mine", tmp_path, None))


def test_russian_through_base(tmp_path: Path, clips: dict[str, Clip]) -> None:
    base = WindowedWhisper(locate("base", tmp_path))
    russian = [clip for clip in clips.values() if clip.lang == "ru"]
    heard = [base.transcribe(clip.pcm, "ru").text for clip in russian]
    # Eight bits round otherwise on another processor, and synthetic insults are hard: a few words more or less.
    counted = [words_counted(clip.text, text) for clip, text in zip(russian, heard, strict=True)]
    assert sum(wrong for wrong, _ in counted) < 0.5 * sum(said for _, said in counted)
    letters = [letter for letter in "".join(heard).lower() if letter.isalpha()]
    assert all("а" <= letter <= "я" or letter == "ё" for letter in letters)


def test_a_known_text_is_laid_over_its_sound(tiny: WindowedWhisper, clips: dict[str, Clip]) -> None:
    clip = clips["table_en_037"]
    words = tiny.spoken_at(clip.pcm, clip.text, "en")
    assert " ".join(word.text for word in words) == clip.text
    times = [time for word in words for time in (word.start_s, word.end_s)]
    assert times == sorted(times)
    assert 0.5 * clip.seconds < words[-1].start_s < words[-1].end_s <= clip.seconds
    with pytest.raises(ValueError, match="at most"):
        tiny.spoken_at(np.zeros(round((MAX_AUDIO_S + 1) * 16_000), np.float32), "one", "en")


def test_the_languages_of_a_file_are_told_apart(tmp_path: Path, tiny: WindowedWhisper, clips: dict[str, Clip]) -> None:
    base = WindowedWhisper(locate("base", tmp_path))
    for name, lang in (("table_en_037", "en"), ("table_ru_065", "ru")):
        assert base.likeliest(clips[name].pcm, ("en", "ru")) == lang
    assert tiny.likeliest(clips["table_ru_065"].pcm, ("en", "ru")) == "en", "a model of one language knows no other"
