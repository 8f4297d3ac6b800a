"""The command `voicetable`: names, inputs, outputs and exit statuses after the command contract.

Nothing heavy is imported here: `voicetable --help` and `voicetable replay` start at once.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer

DONE, FAILED, BAD_INPUT = 0, 1, 2
JUDGES = "rules, fast, second (the default), or a toxicity model beside it: multilingual, a folder (extra `detoxify`)."

app = typer.Typer(
    name="voicetable",
    help="A self-hosted, voice-first table for Mafia.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
bench = typer.Typer(help="Measure this machine; results also as JSON.", rich_markup_mode=None)
models = typer.Typer(help="The machine-learning models.", rich_markup_mode=None)
app.add_typer(bench, name="bench")
app.add_typer(models, name="models")
user = typer.Typer(help="Accounts of moderators, admins and players.", rich_markup_mode=None)
app.add_typer(user, name="user")
person = typer.Typer(help="What is kept of a person: given out, or deleted.", rich_markup_mode=None)
app.add_typer(person, name="person")
Db = Annotated[str | None, typer.Option(help="Database URL; the SQLite file in the data folder by default.")]
Data = Annotated[str | None, typer.Option(help="Data folder (./data by default).")]
UserName = Annotated[str, typer.Argument(metavar="NAME")]


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on (localhost by default).")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port (8000 by default).")] = None,
    db: Annotated[str | None, typer.Option(help="Database URL; a SQLite file in the data folder by default.")] = None,
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
    asr: Annotated[
        str | None, typer.Option(help="Speech model: a name from `voicetable models list`, or a folder.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="cpu or cuda.")] = None,
    asr_compute_type: Annotated[
        str | None, typer.Option(metavar="TYPE", help="As float16, float32 (int8; with cuda int8_float16).")
    ] = None,
    asr_workers: Annotated[
        int | None,
        typer.Option(min=1, max=32, help="Recogniser processes (one a core, four at most; with cuda one a GPU)."),
    ] = None,
    recogniser: Annotated[
        str | None, typer.Option(metavar="MODULE", help="A Python module that recognises in place of ours.")
    ] = None,
    toxicity: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL", help="Second opinions for moderators (extra `detoxify`): multilingual, a folder..."
        ),
    ] = None,
    toxicity_device: Annotated[str | None, typer.Option(help="cpu or cuda (as --device).")] = None,
    tls_cert: Annotated[str | None, typer.Option(help="Certificate file, for https.")] = None,
    tls_key: Annotated[str | None, typer.Option(help="Key file of the certificate.")] = None,
    public_url: Annotated[str | None, typer.Option(help="The address people open, for invitation links.")] = None,
    udp_ports: Annotated[
        str | None, typer.Option(metavar="FIRST-LAST", help="UDP ports of the voice, as 20000-20200 (any by default).")
    ] = None,
    listen_address: Annotated[
        list[str] | None, typer.Option(metavar="IP", help="Local address of the voice (all by default); repeatable.")
    ] = None,
    public_address: Annotated[
        list[str] | None,
        typer.Option(metavar="IP|NAME", help="What a 1:1 NAT or Docker maps to this machine; repeatable."),
    ] = None,
    media_workers: Annotated[
        int | None,
        typer.Option(min=0, max=32, help="Processes that carry the voice; 0: the server's own (one a core but one)."),
    ] = None,
    transcript_days: Annotated[
        float | None,
        typer.Option(min=0, max=3650, help="For how long after a game its players can read what was said (30)."),
    ] = None,
    evidence_days: Annotated[
        float | None,
        typer.Option(min=0.01, max=3650, help="For how long a flagged or reported line is kept with its clip (30)."),
    ] = None,
    clip_keys: Annotated[
        str | None, typer.Option(metavar="FILE", help="The keys of the clips (clip-keys in the data folder).")
    ] = None,
    turn: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="TURN server for players, turn:HOST:3478; repeatable.")
    ] = None,
    turn_secret: Annotated[
        str | None, typer.Option(help="Its static-auth-secret; better by VOICETABLE_TURN_SECRET.")
    ] = None,
    turn_user: Annotated[str | None, typer.Option(help="Its user, where there is no secret.")] = None,
    turn_password: Annotated[str | None, typer.Option(help="That user's password.")] = None,
) -> int:
    """Run the voice table server with its web app."""
    from voice.cli.serve import run as run_serve

    given = {
        "host": host, "port": port, "db": db, "data": data, "asr": asr, "device": device,
        "asr_compute_type": asr_compute_type, "asr_workers": asr_workers, "recogniser": recogniser,
        "toxicity": toxicity, "toxicity_device": toxicity_device,
        "tls_cert": tls_cert, "tls_key": tls_key, "public_url": public_url, "udp_ports": udp_ports,
        "listen_address": listen_address, "public_address": public_address, "media_workers": media_workers,
        "transcript_days": transcript_days, "evidence_days": evidence_days, "clip_keys": clip_keys,
        "turn": turn, "turn_secret": turn_secret, "turn_user": turn_user, "turn_password": turn_password,
    }  # fmt: skip
    return run_serve({name: value for name, value in given.items() if value is not None})


@app.command()
def doctor(
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
    db: Annotated[str | None, typer.Option(help="Database URL; a SQLite file in the data folder by default.")] = None,
    host: Annotated[str | None, typer.Option(help="As for serve, as are all options up to --device.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535)] = None,
    public_url: Annotated[str | None, typer.Option()] = None,
    tls_cert: Annotated[str | None, typer.Option()] = None,
    tls_key: Annotated[str | None, typer.Option()] = None,
    udp_ports: Annotated[str | None, typer.Option(metavar="FIRST-LAST")] = None,
    listen_address: Annotated[list[str] | None, typer.Option(metavar="IP")] = None,
    public_address: Annotated[list[str] | None, typer.Option(metavar="IP|NAME")] = None,
    media_workers: Annotated[int | None, typer.Option(min=0, max=32)] = None,
    turn: Annotated[list[str] | None, typer.Option(metavar="URL")] = None,
    turn_secret: Annotated[str | None, typer.Option()] = None,
    turn_user: Annotated[str | None, typer.Option()] = None,
    turn_password: Annotated[str | None, typer.Option()] = None,
    asr: Annotated[str | None, typer.Option()] = None,
    device: Annotated[str | None, typer.Option()] = None,
    asr_compute_type: Annotated[str | None, typer.Option(metavar="TYPE")] = None,
    asr_workers: Annotated[int | None, typer.Option(min=1, max=32)] = None,
    toxicity: Annotated[str | None, typer.Option(metavar="MODEL")] = None,
    from_outside: Annotated[
        str | None, typer.Option(metavar="URL", help="Call the server that runs there, from this machine.")
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="VOICETABLE_DOCTOR_TOKEN", help="With --from-outside: that server's moderator token."),
    ] = None,
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the findings as JSON.")] = None,
) -> int:
    """Check what this host must have to serve with these settings, and say what to do where it lacks it."""
    from voice.cli.doctor import run as run_doctor

    given = {
        "data": data, "db": db, "host": host, "port": port, "public_url": public_url, "tls_cert": tls_cert,
        "tls_key": tls_key, "udp_ports": udp_ports, "listen_address": listen_address,
        "public_address": public_address, "media_workers": media_workers, "turn": turn, "turn_secret": turn_secret,
        "turn_user": turn_user, "turn_password": turn_password, "asr": asr, "device": device,
        "asr_compute_type": asr_compute_type, "asr_workers": asr_workers, "toxicity": toxicity,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    return run_doctor(given, lang=lang, outside=from_outside, token=token, json_file=json)


@app.command()
def demo(
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    wav: Annotated[str | None, typer.Option(help="Speak this audio file in place of the built-in one.")] = None,
) -> int:
    """Play the main job without a microphone: recorded speech at a table of bots, printed live."""
    from voice.cli.demo import run as run_demo

    return run_demo(lang, wav)


@app.command()
def mic(
    link: Annotated[
        str | None, typer.Argument(metavar="[INVITATION_LINK]", help="The link of the lobby, https://.../#/join/...")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Mic",
    source: Annotated[
        str | None,
        typer.Option("--input", metavar="DEVICE|FILE|null", help="Microphone (number or name), or an audio file."),
    ] = None,
    sink: Annotated[
        str | None,
        typer.Option("--output", metavar="DEVICE|FILE|null", help="Loudspeaker, or a .wav file to write."),
    ] = None,
    token: Annotated[str | None, typer.Option(help="Go on in your seat: what was told when you left.")] = None,
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    list_devices: Annotated[bool, typer.Option("--list-devices", help="Print the devices and end.")] = False,
) -> int:
    """A player in this terminal: microphone, loudspeaker, captions and keys (? shows them)."""
    from voice.cli.mic import run as run_mic

    return run_mic(link, name=name, source=source, sink=sink, token=token, lang=lang, devices=list_devices)


@app.command()
def replay(file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file.")]) -> int:
    """Play a scenario and print every event as one JSON object a line."""
    from voice.cli.replay import run as run_replay

    return run_replay(file)


@app.command()
def simulate(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="How many games.")],
    ruleset: Annotated[str, typer.Option(help="The ruleset to play by.")] = "sport",
    seed: Annotated[int, typer.Option(help="The first game's seed; each later game's is one more.")] = 1,
    bots: Annotated[
        str, typer.Option(metavar="KIND", help="thinking, random, or by side: town=thinking,mafia=random.")
    ] = "thinking",
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A number of the ruleset; may be repeated.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=256, help="Processes; one a core where absent.")] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON.")] = None,
) -> int:
    """Bots against bots, as fast as possible: win rates with intervals, lengths, games a second."""
    from voice.cli.simulate import run as run_simulate

    return run_simulate(
        games=games, ruleset=ruleset, seed=seed, bots=bots, option=option or [], jobs=jobs, json_file=json
    )


@app.command()
def rules(
    ruleset: Annotated[str | None, typer.Argument(metavar="[RULESET]", help="All of them where absent.")] = None,
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    format: Annotated[str, typer.Option(help="text, html or json.")] = "text",  # noqa: A002 - the option's name
    option: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A number of the ruleset; may be repeated.")
    ] = None,
) -> int:
    """The rules page of a ruleset, every number taken from its table of numbers."""
    from voice.cli.rules import run as run_rules

    return run_rules(ruleset=ruleset, lang=lang, format=format, option=option or [])


@app.command()
def export(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's id, a log or scenario file, or - for standard input.")
    ],
    format: Annotated[str, typer.Option(help="json, csv or pdf.")],  # noqa: A002 - the option's name
    db: Annotated[str | None, typer.Option(help="Database URL; the SQLite file in the data folder by default.")] = None,
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Write here; standard output where absent.")] = None,
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    tournament: Annotated[str, typer.Option(help="For the sheet's head, as are the next five.")] = "",
    stage: Annotated[str, typer.Option()] = "",
    date: Annotated[str, typer.Option()] = "",
    table_no: Annotated[str, typer.Option()] = "",
    game_no: Annotated[str, typer.Option()] = "",
    judge: Annotated[str, typer.Option()] = "",
) -> int:
    """A game's protocol, from its log: JSON with all of the review, a CSV table, or a PDF sheet."""
    from voice.cli.export import run as run_export

    return run_export(
        game=game, format=format, db=db, data=data, out=out, lang=lang, tournament=tournament, stage=stage,
        date=date, table_no=table_no, game_no=game_no, judge=judge,
    )  # fmt: skip


@app.command()
def moderate(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="Lines; standard input where absent.")] = None,
    lang: Annotated[str | None, typer.Option(help="en or ru; by each line's letters where absent.")] = None,
    model: Annotated[str | None, typer.Option(help=JUDGES)] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda, for a toxicity model.")] = "cpu",
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
) -> int:
    """Judge lines: one JSON object a line, in order."""
    from voice.cli.moderate import run as run_moderate

    return run_moderate(file, lang, model, device=device, data=data)


@app.command()
def transcribe(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Audio files: anything FFmpeg reads.")],
    lang: Annotated[
        str | None, typer.Option(help="A language's code, as en; en or ru by the sound's beginning where absent.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="A name from `voicetable models list`, a folder, or a hub's name.")
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    live: Annotated[
        bool, typer.Option("--live", help="Play the files in real time, as a table would hear them.")
    ] = False,
    recogniser: Annotated[str | None, typer.Option(metavar="MODULE", help="A recogniser of your own.")] = None,
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
) -> int:
    """Audio files through the live speech path: one JSON object a line."""
    from voice.cli.transcribe import run as run_transcribe

    return run_transcribe(
        files, lang=lang, model=model, device=device, live=live, data=data, recogniser=recogniser
    )  # fmt: skip


@models.command("list")
def models_list() -> int:
    """What can be used and where it comes from."""
    from voice.cli.models import run_list

    return run_list()


@models.command("verify")
def models_verify() -> int:
    """Hold every embedded model's files against their checksums."""
    from voice.cli.models import run_verify

    return run_verify()


@models.command("fetch")
def models_fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `voicetable models list` has it, or a hub's name.")],
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
) -> int:
    """Fetch a model, with a progress bar, so that it is there when a server has no network."""
    from voice.cli.models import run_fetch

    return run_fetch(name, data)


@user.command("add")
def user_add(
    name: UserName,
    role: Annotated[str, typer.Option(help="player, moderator or admin.")],
    db: Db = None,
    data: Data = None,
) -> int:
    """Make an account; its token, told this once, goes to standard output."""
    from voice.cli.user import run_add

    return run_add(name, role, db, data)


@user.command("token")
def user_token(name: UserName, db: Db = None, data: Data = None) -> int:
    """A new token in place of the old one; an account that was disabled is active again."""
    from voice.cli.user import run_token

    return run_token(name, db, data)


@user.command("list")
def user_list(db: Db = None, data: Data = None) -> int:
    """All accounts, one a line: name, role, since when, active or disabled."""
    from voice.cli.user import run_list

    return run_list(db, data)


@user.command("disable")
def user_disable(name: UserName, db: Db = None, data: Data = None) -> int:
    """The account's token opens nothing any more; what it did stays in the record."""
    from voice.cli.user import run_disable

    return run_disable(name, db, data)


OfTable = Annotated[str | None, typer.Option(metavar="ID", help="The table at which they sat, with --seat.")]
OfSeat = Annotated[int | None, typer.Option(min=1, metavar="N")]
OfAccount = Annotated[str | None, typer.Option(metavar="NAME", help="All tables at which they sat with their account.")]


@person.command("export")
def person_export(
    table: OfTable = None,
    seat: OfSeat = None,
    account: OfAccount = None,
    clip_keys: Annotated[
        str | None, typer.Option(metavar="FILE", help="The keys of the clips; those in the data folder by default.")
    ] = None,
    db: Db = None,
    data: Data = None,
) -> int:
    """All that is kept of somebody, as JSON, one line for each table."""
    from voice.cli.person import run_export as run_person_export

    return run_person_export(table, seat, account, db, data, clip_keys)


@person.command("erase")
def person_erase(
    table: OfTable = None, seat: OfSeat = None, account: OfAccount = None, db: Db = None, data: Data = None
) -> int:
    """Delete all that is kept of somebody; where a game still runs, when it is over."""
    from voice.cli.person import run_erase

    return run_erase(table, seat, account, db, data)


@bench.command("path")
def bench_path(
    listeners: Annotated[int, typer.Option(min=1, max=9, help="Clients beside the speaker, a table.")] = 9,
    tables: Annotated[int, typer.Option(min=1, max=30, help="Tables at once.")] = 1,
    loss: Annotated[float, typer.Option(min=0, max=90, metavar="PERCENT", help="Packets lost, each way.")] = 0,
    lang: Annotated[str, typer.Option(help="en or ru.")] = "en",
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON.")] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw it (extra `plot`).")] = None,
) -> int:
    """The critical audio path over real WebRTC: mouth to ear, the gate, utterance end to text and verdict."""
    from voice.cli.bench_path import run as run_bench_path

    return run_bench_path(listeners=listeners, tables=tables, loss=loss, lang=lang, json_file=json, plot_file=plot)


@bench.command("media")
def bench_media(
    tables: Annotated[int, typer.Option(min=1, max=100, help="Tables at once.")] = 10,
    listeners: Annotated[int, typer.Option(min=1, max=9, help="Clients beside the speaker, a table.")] = 9,
    seconds: Annotated[float, typer.Option(min=1, max=300, help="How long each way is measured.")] = 10,
    only: Annotated[
        str | None,
        typer.Option(metavar="WAYS", help="Of ours,fallback,relay,floor,janus,workers; all but workers where absent."),
    ] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON.")] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw it (extra `plot`).")] = None,
    browser: Annotated[
        bool | None, typer.Option("--browser/--no-browser", help="A Chromium listens too (where there is one).")
    ] = None,
) -> int:
    """What forwarding costs a table: our path beside the public API, MediaRelay, the raw floor and Janus."""
    from voice.cli.bench_media import run as run_bench_media

    return run_bench_media(
        tables=tables,
        listeners=listeners,
        seconds=seconds,
        only=only,
        json_file=json,
        plot_file=plot,
        browser=browser,
    )


@bench.command("engine")
def bench_engine(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games a row, drawn by lot.")] = 2000,
    thinking: Annotated[int, typer.Option(min=0, metavar="N", help="Games a row with bots, of either kind.")] = 200,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON.")] = None,
) -> int:
    """The rules engine on one core: games a second, and the time of one command on a running game."""
    from voice.cli.bench_engine import run as run_bench_engine

    return run_bench_engine(games=games, thinking=thinking, json_file=json)


@bench.command("moderation")
def bench_moderation(
    sets: Annotated[
        list[str],
        typer.Option("--set", metavar="FILE.jsonl", help="Lines with text, lang, label (kind); repeatable."),
    ],
    model: Annotated[str | None, typer.Option(help=JUDGES)] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda, for a toxicity model.")] = "cpu",
    wrong: Annotated[int, typer.Option(min=0, metavar="N", help="Print up to N wrongly judged lines.")] = 0,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the result as JSON.")] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw it (extra `plot`).")] = None,
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
) -> int:
    """How well and how fast lines are judged: precision and recall by language, category and kind, time a line."""
    from voice.cli.bench_moderation import run as run_bench_moderation

    return run_bench_moderation(
        sets=sets, model=model, device=device, data=data, wrong=wrong, json_file=json, plot_file=plot
    )


@bench.command("asr")
def bench_asr(
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="M", help="Name, folder, hub's name, or default: each language's; repeatable."),
    ] = None,
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    compute_type: Annotated[
        list[str] | None,
        typer.Option(metavar="TYPE", help="int8 (cpu) or int8_float16 (cuda) where absent; repeatable."),
    ] = None,
    threads: Annotated[list[int] | None, typer.Option(min=1, max=256, help="A recogniser's; repeatable.")] = None,
    window: Annotated[
        list[float] | None, typer.Option(min=1, max=29, metavar="S", help="Ours: the shortest window; repeatable.")
    ] = None,
    clips: Annotated[
        str | None, typer.Option(metavar="DIR", help="With a manifest.jsonl: file, text, lang a line.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="The first N clips of each language.")] = None,
    concurrency: Annotated[
        list[int] | None, typer.Option(min=1, max=100, metavar="N", help="Tables that talk at once; repeatable.")
    ] = None,
    workers: Annotated[
        list[int] | None, typer.Option(min=1, max=64, help="Recogniser processes (1); repeatable.")
    ] = None,
    interim: Annotated[
        list[float] | None,
        typer.Option(min=0.1, max=60, metavar="S", help="Time between captions (1); repeatable."),
    ] = None,
    one_by_one: Annotated[
        bool,
        typer.Option("--one-by-one", help="Not every combination: each further value with the first of the others."),
    ] = False,
    recogniser: Annotated[
        list[str] | None, typer.Option(metavar="MODULE", help="A recogniser of your own beside ours; repeatable.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="WAYS", help="Of ours,ours-fixed,faster-whisper,moonshine,MODULE; else all."),
    ] = None,
    json: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the result as JSON; an interrupted run goes on from it.")
    ] = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE.png", help="Draw it (extra `plot`).")] = None,
    data: Annotated[str | None, typer.Option(help="Data folder (./data by default).")] = None,
    compare: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A.json B.json", help="Measure nothing: what changed from A to B.")
    ] = None,
) -> int:
    """Latency, accuracy and cost of speech recognition in real time, beside faster-whisper's own defaults."""
    from voice.cli.bench_asr import Given, run_compare
    from voice.cli.bench_asr import run as run_bench_asr

    if compare is not None:
        return run_compare(*compare)
    return run_bench_asr(
        Given(
            models=model or [], device=device, compute_types=compute_type or [], threads=threads or [],
            windows_s=window or [], clips=clips, limit=limit, tables=concurrency or [],
            workers=workers or [], interims_s=interim or [], one_by_one=one_by_one,
            recognisers=recogniser or [], only=only, json_file=json, plot_file=plot, data=data,
        )
    )  # fmt: skip


def run() -> None:
    """The entry point: exit status 0 done, 2 bad input with one clear line, 1 anything else."""
    # A stream that was closed before the start has nobody at its other end; what is written to it is dropped.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 - it lives as long as the process
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115 - the same
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as bad:
        print(f"voicetable: {bad.format_message()} (--help says what there is)", file=sys.stderr)
        status = bad.exit_code
    except (KeyboardInterrupt, typer.Abort):
        status = FAILED
    except OSError as why:
        if why.errno not in (errno.EPIPE, errno.ENOSPC):
            raise
        # Whoever read our output has gone: nobody is left to complain to. Of a full disk there is.
        if why.errno == errno.ENOSPC:
            print(f"voicetable: {why.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # keeps the interpreter's last flush quiet too
        status = FAILED
    sys.exit(status or DONE)


if __name__ == "__main__":
    run()
