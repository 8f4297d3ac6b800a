"""From what was shown of the clips to a row's figures: no clock, no process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from voice.bench.asr.setup import FIXED, OURS, THEIRS
from voice.bench.asr.shown import first_seen, first_stable
from voice.bench.asr.words import errors, normal
from voice.bench.report import distribution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.bench.asr.playing import Played
    from voice.bench.asr.setup import Setup
    from voice.bench.asr.shown import Shown
    from voice.bench.asr.sound import Sound

TIMES = ("end_to_text_ms", "word_to_first_text_ms", "word_to_stable_text_ms")
RATIOS = ("end_to_text_p50_ratio", "end_to_text_p95_ratio", "cpu_ratio", "wer_points")


def make_row(setup: Setup, played: Played) -> dict[str, Any]:
    """The row: the setup's fields, the figures over all languages and for each, and the single end-to-text times."""
    langs = list(dict.fromkeys(sound.clip.lang for sound, _ in played.shown))
    times = {lang: _times([each for each in played.shown if each[0].clip.lang == lang]) for lang in langs}
    words = {lang: _words([each for each in played.shown if each[0].clip.lang == lang]) for lang in langs}
    audio_s = sum(sound.clip_s for sound, _ in played.shown)
    decode_s = sum(sum(shown.decode_s) for _, shown in played.shown)
    length_s = sum(sum(shown.length_s) for _, shown in played.shown)
    wrong = sum(each["wrong"] for each in words.values())
    said = sum(each["words"] for each in words.values())
    all_times = {name: [value for lang in langs for value in times[lang][name]] for name in TIMES}
    return {
        **setup.key,
        "langs": langs,
        "skipped": dict(played.skipped),
        "clips": len(played.shown),
        "audio_s": round(audio_s, 2),
        "utterances": sum(len(shown.latency_s) for _, shown in played.shown),
        **{name: distribution(all_times[name]) for name in TIMES},
        "endpoint_ms": distribution([1000 * each for _, shown in played.shown for each in shown.endpoint_s]),
        "wer": {lang: words[lang]["wer"] for lang in langs},
        "wer_all": _share(wrong, said),
        "by_lang": {
            lang: {**{name: distribution(times[lang][name]) for name in TIMES}, **words[lang]} for lang in langs
        },
        "real_time_factor": _share(decode_s, length_s),
        "cpu_s_per_audio_s": None if played.cpu_s is None else _share(played.cpu_s, audio_s),
        "rss_mb": played.rss_mb,
        "gpu_mb": played.gpu_mb,
        "counts": dict(played.counts),
        "sent_late_ms": round(1000 * played.late_s, 1),
        "load_1_min": played.load_1_min,
        "end_to_text_each_ms": [round(value, 1) for value in all_times["end_to_text_ms"]],
    }


def ratios(ours: Mapping[str, Any], theirs: Mapping[str, Any] | None) -> dict[str, Any]:
    """Ours over theirs; of word errors ours less theirs, in percentage points. Null where there is nothing beside."""
    if theirs is None:
        return dict.fromkeys((*RATIOS, "wer_points_by_lang"))
    mine, other = ours["end_to_text_ms"], theirs["end_to_text_ms"]
    return {
        "end_to_text_p50_ratio": _ratio(mine["p50"], other["p50"]),
        "end_to_text_p95_ratio": _ratio(mine["p95"], other["p95"]),
        "cpu_ratio": _ratio(ours["cpu_s_per_audio_s"], theirs["cpu_s_per_audio_s"]),
        "wer_points": _points(ours["wer_all"], theirs["wer_all"]),
        "wer_points_by_lang": {
            lang: _points(ours["wer"][lang], theirs["wer"][lang]) for lang in ours["wer"] if lang in theirs["wer"]
        },
    }


def beside(rows: Sequence[Mapping[str, Any]], ours: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """faster-whisper's row of the same model under the same load; None where it was not measured."""
    same = ("model", "device", "compute_type", "threads", "tables", "workers", "interim_s", "langs")
    wanted = {name: ours[name] for name in same}
    return next((row for row in rows if row["way"] == THEIRS and {name: row[name] for name in same} == wanted), None)


def result_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The bench's result: the first of our rows, beside faster-whisper's of the same setup; null without one.

    `fixed`: the ratios of the first row of ours with their wait and captions.
    """
    ours, fixed = (next((row for row in rows if row["way"] == way), None) for way in (OURS, FIXED))
    names = (*TIMES, "wer", "cpu_s_per_audio_s", "rss_mb", "real_time_factor")
    alike = {"fixed": None if fixed is None else ratios(fixed, beside(rows, fixed))}
    if ours is None:
        return {**dict.fromkeys((*names, *RATIOS, "wer_points_by_lang")), **alike}
    return {**{name: ours[name] for name in names}, **ratios(ours, beside(rows, ours)), **alike}


def _times(shown: Sequence[tuple[Sound, Shown]]) -> dict[str, list[float]]:
    """In ms, by figure."""
    times: dict[str, list[float]] = {name: [] for name in TIMES}
    for sound, each in shown:
        lang, said = sound.clip.lang, sound.clip.words
        times["end_to_text_ms"] += [1000 * value for value in each.latency_s]
        for name, seen in (
            ("word_to_first_text_ms", first_seen(each, said, lang)),
            ("word_to_stable_text_ms", first_stable(each, said, lang)),
        ):
            for index, at_s in seen.items():
                end_s = sound.ends_s[index]
                if end_s is not None:
                    times[name].append(1000 * (at_s - end_s))
    return times


def _words(shown: Sequence[tuple[Sound, Shown]]) -> dict[str, Any]:
    """Words wrong and said, single words apart."""
    wrong = {True: 0, False: 0}
    said = {True: 0, False: 0}
    for sound, each in shown:
        single = sound.clip.single
        wrong[single] += errors(sound.clip.words, normal(each.text, sound.clip.lang))
        said[single] += len(sound.clip.words)
    return {
        "wrong": wrong[False],
        "words": said[False],
        "wer": _share(wrong[False], said[False]),
        "one_word_clips": {"wrong": wrong[True], "words": said[True]},
    }


def _share(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def _ratio(ours: float | None, theirs: float | None) -> float | None:
    return None if ours is None or not theirs else round(ours / theirs, 3)


def _points(ours: float | None, theirs: float | None) -> float | None:
    return None if ours is None or theirs is None else round(100 * (ours - theirs), 2)
