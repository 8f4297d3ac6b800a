"""`bench asr`: clips, the grid, what is kept of an interrupted run, comparing, and one short run of everything."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from models.errors import ModelError
from tests.bench.asr_rows import OURS_ONCE, clip, played, row, sound
from tests.speech.sound import FIXTURES, read_clips, words_wrong
from voice.bench import gpu, report
from voice.bench.asr import code, document, measure, moonshine, playing, plot, usage
from voice.bench.asr.clips import BESIDE_THE_CHECKOUT, BUILT_IN, MANIFEST, default_folder, fingerprint
from voice.bench.asr.clips import read_clips as read_manifest
from voice.bench.asr.compare import alone, differences, pairs
from voice.bench.asr.errors import BenchError, ClipsError
from voice.bench.asr.playing import settings_of
from voice.bench.asr.row import beside, ratios, result_of
from voice.bench.asr.setup import FIXED, MOONSHINE, OURS, THEIRS, THREADS_ITS_OWN, grid
from voice.bench.asr.shown import Shown
from voice.cli import bench_asr
from voice.cli.bench_asr import Given, run, run_compare
from voice.speech.loading import Options
from voice.speech.phrase import Ending, silence_s

if TYPE_CHECKING:
    from collections.abc import Callable

    from voice.bench.asr.playing import Played
    from voice.bench.asr.setup import Setup

CLIPS = {"number": 1, "fingerprint": "0", "langs": {"en": 1}, "audio_s": 4.0}
RESULT = {
    "end_to_text_ms", "word_to_first_text_ms", "word_to_stable_text_ms", "wer", "cpu_s_per_audio_s", "rss_mb",
    "real_time_factor", "end_to_text_p50_ratio", "end_to_text_p95_ratio", "cpu_ratio", "wer_points",
    "wer_points_by_lang", "fixed",
}  # fmt: skip


def given(**options: Any) -> Given:
    nothing = Given(
        [], "cpu", [], [], [], str(FIXTURES), 1, [], [], [], False, [], "ours,faster-whisper", None, None, None
    )
    return replace(nothing, **options)


def rows_of(**options: Any) -> list[Setup]:
    plain: dict[str, Any] = {
        "ways": [OURS, THEIRS], "models": [], "device": "cpu", "compute_types": [], "threads": [1], "windows_s": [],
        "tables": [1], "workers": [1], "interims_s": [1.0],
    }  # fmt: skip
    return grid(**(plain | options))


THEIRS_ONCE = replace(OURS_ONCE, way=THEIRS)


def test_the_rows_of_a_command_line() -> None:
    ours, theirs = rows_of()
    assert (ours.way, ours.model, ours.compute_type, theirs.way) == (OURS, "default", "int8", THEIRS)
    assert (ours.model_of("en"), ours.model_of("ru"), ours.model_of("de")) == ("tiny.en", "base", "base")
    assert rows_of(device="cuda")[0].compute_type == "int8_float16"
    assert rows_of(models=["x"])[0].model_of("ru") == "x"
    many = rows_of(windows_s=[5.0, 8.0], tables=[1, 3], ways=[OURS, THEIRS, MOONSHINE])
    assert [(each.way, each.window_s, each.tables) for each in many] == [
        (OURS, 5.0, 1), (THEIRS, None, 1), (MOONSHINE, None, 1), (OURS, 8.0, 1),
        (OURS, 5.0, 3), (THEIRS, None, 3), (MOONSHINE, None, 3), (OURS, 8.0, 3),
    ]  # fmt: skip
    assert len({each.name for each in many}) == len(many)
    (library,) = rows_of(ways=[MOONSHINE], threads=[1, 2])
    assert library.threads == THREADS_ITS_OWN
    fixed = rows_of(ways=[FIXED], windows_s=[5.0], threads=[2])
    assert [(each.way, each.window_s, each.threads) for each in fixed] == [(FIXED, 5.0, 2)]


def test_one_thing_at_a_time() -> None:
    rows = rows_of(ways=[OURS], models=["default", "base"], threads=[1, 2], workers=[1, 2], interims_s=[1.0, 0.5],
                   tables=[1, 2, 3], windows_s=[8.0, 5.0], one_by_one=True)  # fmt: skip
    assert [each.name for each in rows] == [
        "ours default cpu int8",
        "ours base cpu int8",
        "ours default cpu int8, 2 threads",
        "ours default cpu int8, 2 tables",
        "ours default cpu int8, 3 tables",
        "ours default cpu int8, window 8 s",
        "ours default cpu int8, window 5 s",
        "ours default cpu int8, 2 processes",
        "ours default cpu int8, captions each 0.5 s",
    ]


def test_the_others_lack_only_what_is_ours() -> None:
    ours, theirs = (settings_of(each, ["en"]) for each in rows_of(threads=[2]))
    assert (ours.speculate, theirs.speculate) == (True, False)
    assert theirs.recogniser == "voice.bench.asr.plain"
    assert theirs.drafts_below_load == float("inf")
    same = {"recogniser": "", "speculate": True, "drafts_below_load": 0.0}
    assert replace(ours, **same) == replace(theirs, **same)


def test_ours_with_their_wait_and_captions_keeps_the_early_decode() -> None:
    ours, fixed, theirs = (settings_of(each, ["en"]) for each in rows_of(ways=[OURS, FIXED, THEIRS], windows_s=[5.0]))
    assert {silence_s(how, fixed.endpoint) for how in Ending} | {fixed.endpoint.unread_silence_s} == {0.3}
    assert len({silence_s(how, ours.endpoint) for how in Ending}) == 3
    assert fixed.drafts_below_load == theirs.drafts_below_load
    assert (fixed.speculate, fixed.recogniser, fixed.min_window_s) == (True, ours.recogniser, 5.0)
    same = {"endpoint": ours.endpoint, "drafts_below_load": ours.drafts_below_load}
    assert replace(fixed, **same) == ours


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        ("", "names no clips"),
        ("nonsense", "line 1: expected a JSON object"),
        ("[1]", "line 1: expected a JSON object with"),
        ('{"file": "a.wav", "text": "a"}', "line 1: expected lang"),
        ('{"file": "a.wav", "text": " ", "lang": "en"}', "line 1: expected text"),
        ('{"file": "a.wav", "text": "...", "lang": "en"}', "line 1: text has no words"),
        ('{"file": "a.wav", "text": "a", "lang": "e1"}', "line 1: expected lang"),
        ('\n{"file": "a.wav", "text": "a", "lang": "en"}', "line 2: there is no file"),
        (f'{{"file": "{"a" * 300}.wav", "text": "a", "lang": "en"}}', "can't be read: File name too long"),
        ('{"file": "a.wav", "text": "a \\ud800", "lang": "en"}', "line 1: text has half a character"),
    ],
)
def test_a_manifest_that_is_none_is_told(
    manifest: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / MANIFEST).write_text(manifest)
    assert run(given(clips=str(tmp_path))) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err


def test_clips_are_read_and_told_apart(tmp_path: Path) -> None:
    clips = read_manifest(FIXTURES)
    assert len(clips) == len(read_clips())
    assert [each.lang for each in read_manifest(FIXTURES, 2)] == ["en", "en", "ru", "ru"]
    assert fingerprint(clips) == fingerprint(read_manifest(FIXTURES)) != fingerprint(clips[1:])
    assert {each.lang for each in read_manifest(BUILT_IN)} == {"en", "ru"}
    assert default_folder() in (BUILT_IN, BESIDE_THE_CHECKOUT)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"clips": "no-such-folder"}, "no-such-folder/manifest.jsonl can't be read"),
        ({"device": "abacus"}, "--device: expected cpu or cuda"),
        ({"compute_types": ["int3"]}, "--compute-type: cpu here does"),
        ({"models": ["no/such/model"]}, "--model: model folder no/such/model does not exist"),
        ({"only": "mine"}, "--only takes ours, ours-fixed, faster-whisper, moonshine, not mine"),
        ({"only": ","}, "not nothing"),
        ({"json_file": "no-such-folder/x.json"}, "--json: cannot write"),
        ({"plot_file": "docs"}, "--plot: cannot write"),
        ({"plot_file": "x.txt"}, "--plot: expected a file whose name ends in .png, got 'x.txt'"),
        ({"recognisers": ["moonshine"]}, "--recogniser: moonshine is the name of a row"),
        (
            {"only": "mine", "recognisers": ["json"]},
            "--only takes ours, ours-fixed, faster-whisper, moonshine, json, not mine",
        ),
    ],
)
def test_bad_input_is_one_line(options: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(given(**options)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("bench asr: ")
    assert said in err


def test_a_clip_that_is_no_sound_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.wav").write_bytes(b"no sound at all")
    (tmp_path / MANIFEST).write_text('{"file": "a.wav", "text": "a b", "lang": "en"}')
    assert run(given(clips=str(tmp_path), data=str(tmp_path))) == 2
    assert "a.wav can't be read as audio" in capsys.readouterr().err


def test_ratios_are_of_the_same_model_and_load() -> None:
    ours, theirs = row(late_s=0.3, cpu_s=1.0), row(THEIRS_ONCE, heard="one too three", late_s=1.2, cpu_s=4.0)
    loaded = row(replace(THEIRS_ONCE, tables=3))
    assert beside([ours, loaded, theirs], ours) is theirs
    assert beside([ours, loaded], ours) is None
    found = ratios(ours, theirs)
    assert found["end_to_text_p50_ratio"] == found["end_to_text_p95_ratio"] == found["cpu_ratio"] == 0.25
    assert found["wer_points"] == found["wer_points_by_lang"]["en"] == pytest.approx(-33.33)
    assert set(result_of([ours, theirs])) == set(result_of([ours])) == set(result_of([theirs])) == RESULT
    assert result_of([ours])["cpu_ratio"] is None
    assert result_of([theirs])["wer"] is None
    alike = row(replace(OURS_ONCE, way=FIXED), late_s=0.6, cpu_s=2.0)
    both = result_of([ours, alike, theirs])
    assert (both["end_to_text_p50_ratio"], both["fixed"]["end_to_text_p50_ratio"]) == (0.25, 0.5)
    assert both["fixed"]["cpu_ratio"] == 0.5
    assert result_of([ours, theirs])["fixed"] is None
    assert document.make([alike, theirs], CLIPS, complete=True)["rows"][0]["beside"]["cpu_ratio"] == 0.5


def test_a_document_is_read_again(tmp_path: Path) -> None:
    file = str(tmp_path / "asr.json")
    made = document.make([row(), row(THEIRS_ONCE)], CLIPS, complete=True)
    document.write(file, made)
    assert document.read(file) == made
    assert made["bench"] == "asr"
    assert made["rows"][0]["beside"]["cpu_ratio"] == 1.0
    assert {"processor", "cores", "gpus", "load_1_min"} <= made["machine"].keys()
    assert os.listdir(tmp_path) == ["asr.json"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made.update(bench="path"),
        lambda made: made.pop("machine"),
        lambda made: made.update(rows=None),
        lambda made: made["rows"][0].pop("way"),
        lambda made: made["rows"][0].pop("langs"),
        lambda made: made["rows"][0].update(skipped=None),
        lambda made: made["rows"][0].update(end_to_text_ms=5),
        lambda made: made["rows"][0].update(cpu_s_per_audio_s="much"),
        lambda made: made["rows"][0].update(end_to_text_each_ms=["x"]),
        lambda made: made["rows"][0].update(window_s="wide"),
        lambda made: made["rows"][0].update(load_1_min=[]),
    ],
)
def test_what_is_not_ours_is_not_compared(
    spoil: Callable[[Any], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    made = document.make([row()], CLIPS, complete=True)
    good.write_text(json.dumps(made))
    spoil(made)
    bad.write_text(json.dumps(made))
    for files in ((good, bad), (bad, good)):
        assert run_compare(*map(str, files)) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "bad.json" in err


@pytest.mark.parametrize("content", [None, b"", b"text", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_file_of_something_else_is_one_line(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.json"
    if content is not None:
        file.write_bytes(content)
    assert run_compare(str(file), str(file)) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert run_compare(str(tmp_path), str(file)) == 2


def test_two_documents_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = document.make([row(), row(replace(OURS_ONCE, tables=3))], CLIPS, complete=True)
    after = document.make(
        [row(late_s=0.25, heard="one too three"), row(THEIRS_ONCE)], CLIPS | {"fingerprint": "1"}, complete=True
    )
    after["machine"]["processor"] = "another"
    (pair,) = pairs(before, after)
    changes = {name: change for name, _, _, change in pair.figures}
    assert changes["end to text p50, ms"] == 0.5
    assert changes["word error rate"] == pytest.approx(33.33)
    assert changes["load when it began"] is None
    assert alone(before, after) == (["ours tiny.en cpu int8, 3 tables"], ["faster-whisper tiny.en cpu int8"])
    assert [line.partition(":")[0] for line in differences(before, after)] == ["processor", "clips"]
    files = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    for file, made in zip(files, (before, after), strict=True):
        document.write(file, made)
    assert run_compare(*files) == 0
    out = capsys.readouterr().out
    assert "x 0.5" in out
    assert "+33.33 points" in out
    assert "not the same: processor" in out
    assert "3 tables" in out


def test_another_model_is_compared_with_the_same_load() -> None:
    other = replace(OURS_ONCE, model="base", compute_type="float32")
    before = document.make([row(), row(replace(OURS_ONCE, tables=3))], CLIPS, complete=True)
    after = document.make([row(replace(other, tables=3)), row(other)], CLIPS, complete=True)
    assert [pair.name for pair in pairs(before, after)] == [
        "ours tiny.en cpu int8, 3 tables against ours base cpu float32, 3 tables",
        "ours tiny.en cpu int8 against ours base cpu float32",
    ]
    assert alone(before, after) == ([], [])
    assert differences(before, after) == []


def test_only_rows_of_the_same_run_stand(tmp_path: Path) -> None:
    file = str(tmp_path / "asr.json")
    setups = [OURS_ONCE, THEIRS_ONCE]
    made = document.make([row()], CLIPS, complete=False)
    assert document.kept(None, CLIPS, setups) == document.kept(file, CLIPS, setups) == document.Kept([])
    document.write(file, made)
    assert [each["way"] for each in document.kept(file, CLIPS, setups).rows] == [OURS]
    assert document.kept(file, CLIPS, [THEIRS_ONCE]).rows == []
    assert "clips" in document.kept(file, CLIPS | {"number": 2}, setups).why_none
    document.write(file, {**made, "machine": made["machine"] | {"cores": 99}})
    assert "machine" in document.kept(file, CLIPS, setups).why_none
    document.write(file, {**made, "versions": made["versions"] | {"av": "0"}})
    assert "versions" in document.kept(file, CLIPS, setups).why_none
    document.write(file, {**made, "code": "older"})
    assert "code" in document.kept(file, CLIPS, setups).why_none
    assert "recognising code: older against" in "\n".join(differences(made | {"code": "older"}, made))
    document.write(file, {**made, "complete": True})
    assert document.kept(file, CLIPS, setups) == document.Kept([])
    Path(file).write_text("something else")
    assert document.kept(file, CLIPS, setups) == document.Kept([])


def test_the_code_is_told_apart_by_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain = code.fingerprint.__wrapped__
    names = set()
    for text in ("load = 1", "load = 2"):
        (tmp_path / "mine_told.py").write_text(text)
        names.add(plain(("mine_told",)))
    assert plain() == plain()
    assert len({*names, plain()}) == 3
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.py").write_text("A = 1")
    monkeypatch.setattr(code, "ROOT", tmp_path)
    before = plain()
    (tmp_path / "models" / "a.py").write_text('"""What it is."""\n\nA = 1  # one\n"""One."""\n')
    assert plain() == before
    (tmp_path / "models" / "a.py").write_text("A = 2")
    assert plain() != before
    (tmp_path / "models" / "a.py").write_text("A = 1")
    (tmp_path / "models" / "words.toml").write_text("a = 1")
    assert plain() != before


@pytest.fixture
def no_sounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clips are not read: this is of what is done with rows."""
    monkeypatch.setattr("voice.bench.asr.sound.make_sounds", lambda *_: [sound(clip())])


@pytest.mark.usefixtures("no_sounds")
def test_an_interrupted_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "asr.json"
    begun: list[str] = []

    async def play(setup: Setup, sounds: Any, data_dir: Path, progress: Callable[[float], None]) -> Played:
        begun.append(setup.way)
        progress(1.0)
        if setup.way == THEIRS and begun.count(THEIRS) == 1:
            raise KeyboardInterrupt
        return played((sounds[0], Shown([(3.5, "one two three", True)], [0.5], [0.1], [3.0])))

    monkeypatch.setattr(measure, "play", play)
    options = given(json_file=str(file), limit=1)
    assert run(options) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "interrupted" in err
    half = json.loads(file.read_text())
    assert ([each["way"] for each in half["rows"]], half["complete"]) == ([OURS], False)
    assert run(options) == 0
    out, err = capsys.readouterr()
    assert err == f"bench asr: 1 of 2 rows are in {file} already and stand; the rest is measured\n"
    assert begun == [OURS, THEIRS, THEIRS]
    whole = json.loads(file.read_text())
    assert ([each["way"] for each in whole["rows"]], whole["complete"]) == ([OURS, THEIRS], True)
    assert whole["result"]["end_to_text_p50_ratio"] == 1.0
    assert "end to text p50" in out
    assert f"{whole['machine']['cores']} cores" in out
    assert run(options) == 0
    assert begun == [OURS, THEIRS, THEIRS, OURS, THEIRS], "what is complete is measured anew"


@pytest.mark.usefixtures("no_sounds")
def test_what_goes_wrong_in_a_row_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play(*_: Any) -> Played:
        raise BenchError("a speech process died")

    monkeypatch.setattr(measure, "play", play)
    assert run(given()) == 1
    assert capsys.readouterr().err == "bench asr: a speech process died\n"


def test_a_plot_of_rows(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    nothing = row() | {"cpu_s_per_audio_s": None, "end_to_text_each_ms": []}
    for rows in ([], [row(), row(THEIRS_ONCE), nothing]):
        plot.write(str(tmp_path / "x.png"), rows)
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("voice.bench.plot.importlib.util.find_spec", lambda name: None)
    assert run(given(plot_file=str(tmp_path / "x.png"))) == 2
    assert "voicetable[plot]" in capsys.readouterr().err


def test_what_processes_use() -> None:
    own = os.getpid()
    used_s, size_mb = usage.cpu_s([own]), usage.peak_rss_mb([own, own])
    assert used_s is not None
    assert used_s > 0
    assert size_mb is not None
    assert size_mb > 2 * 10
    assert usage.cpu_s([own, 2**22 + 1]) is usage.peak_rss_mb([None]) is None


def test_gpus_by_nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpu.gpus() is gpu.gpu_mb([1]) is None
    tool = tmp_path / "nvidia-smi"
    tool.write_text('#!/bin/sh\ncase "$1" in *name) echo "A GPU";; *) echo "11, 300\n12, 40\n13, [N/A]";; esac\n')
    tool.chmod(tool.stat().st_mode | stat.S_IEXEC)
    assert gpu.gpus() == report.document("x", [], {})["machine"]["gpus"] == ["A GPU"]
    assert gpu.gpu_mb([11, 13, None]) == 300.0
    tool.write_text("#!/bin/sh\nexit 9\n")
    assert gpu.gpus() is None


def test_moonshine_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(moonshine.importlib.util, "find_spec", lambda name: None)
    assert moonshine.missing() == "moonshine-voice is not installed"
    with pytest.raises(ModelError, match="not installed"):
        moonshine.Moonshine("tiny-en", Options(tmp_path, "cpu", None, 1, None))


@pytest.mark.speech
def test_one_short_run_of_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "clips"
    folder.mkdir()
    spoken = read_clips()["table_en_009"]
    (folder / "a.flac").write_bytes((FIXTURES / "table_en_009.flac").read_bytes())
    rows = [{"file": "a.flac", "text": spoken.text, "lang": "en"}, {"file": "a.flac", "text": "другой", "lang": "ru"}]
    (folder / MANIFEST).write_text("\n".join(map(json.dumps, rows)))
    made = tmp_path / "asr.json"
    options = given(
        clips=str(folder), models=["tiny.en"], tables=[2], json_file=str(made), data=str(tmp_path), interims_s=[0.5],
        only="ours,ours-fixed,faster-whisper",
    )  # fmt: skip
    assert run(options) == 0, capsys.readouterr()
    out, err = capsys.readouterr()
    assert err == ""
    assert "no ru clips: model tiny.en does not do language ru" in out.replace("\n", " ")
    found = document.read(str(made))
    assert set(found["result"]) == RESULT
    assert [(each["way"], each["tables"], each["clips"]) for each in found["rows"]] == [
        (way, 2, 2) for way in (OURS, FIXED, THEIRS)
    ]
    for each in found["rows"]:
        assert list(each["skipped"]) == ["ru"]
        assert each["utterances"] == each["end_to_text_ms"]["n"] == each["endpoint_ms"]["n"] >= 2
        assert each["endpoint_ms"]["p50"] <= each["end_to_text_ms"]["p50"]
        assert {"ends_whole", "ends_hanging", "drafts_skipped"} <= each["counts"].keys()
        assert each["wer"]["en"] <= 0.2
        assert each["word_to_first_text_ms"]["n"] >= 8
        assert each["cpu_s_per_audio_s"] > 0
        assert each["rss_mb"] > 100
        assert each["real_time_factor"] > 0
    *_, theirs = found["rows"]
    # Ours may have none of these, too: on a slow machine each is final before it is done.
    assert [theirs["counts"][name] for name in ("likely", "ends_whole", "ends_hanging")] == [0, 0, 0]
    assert found["result"]["cpu_ratio"] > 0
    assert found["result"]["fixed"]["cpu_ratio"] > 0
    assert "wait, ms" in out


@pytest.mark.speech
async def test_a_row_that_no_model_can_do_is_told(tmp_path: Path) -> None:
    russian = sound(clip("раз два", "ru"))
    with pytest.raises(BenchError, match="does not do language ru"):
        await playing.play(OURS_ONCE, [russian], tmp_path, lambda _: None)


@pytest.mark.speech
def test_their_transcribe_as_it_comes(tmp_path: Path) -> None:
    from voice.bench.asr.plain import PlainWhisper

    model = PlainWhisper("tiny.en", Options(tmp_path, "cpu", "int8", 1, None))
    spoken = read_clips()["table_en_009"]
    assert words_wrong(spoken.text, model.transcribe(spoken.pcm, "en").text) <= 0.2
    with pytest.raises(ModelError, match="language ru"):
        model.transcribe(spoken.pcm, "ru")


def test_the_command_gives_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from voice.cli.main import app

    seen: list[object] = []
    monkeypatch.setattr(bench_asr, "run", lambda told: seen.append(told) or 0)
    monkeypatch.setattr(bench_asr, "run_compare", lambda *files: seen.append(files) or 0)
    arguments = "bench asr --model a --model b --threads 2 --window 5 --concurrency 1 --concurrency 3 --interim 0.5"
    assert app([*arguments.split(), "--one-by-one"], standalone_mode=False) == 0
    assert app(["bench", "asr", "--compare", "a.json", "b.json"], standalone_mode=False) == 0
    told, files = seen
    assert isinstance(told, Given)
    assert (told.models, told.threads, told.windows_s, told.tables, told.interims_s, told.one_by_one) == (
        ["a", "b"], [2], [5.0], [1, 3], [0.5], True,
    )  # fmt: skip
    assert files == ("a.json", "b.json")


def test_a_document_that_is_damaged_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ClipsError, match="no JSON"):
        document.read(str(Path(__file__)))
