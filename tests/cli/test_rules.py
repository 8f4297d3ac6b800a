"""`voicetable rules`: the page as text, HTML and JSON, and what is said of bad input."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.rulebook import LANGS, rule_ids
from engine.rulesets import names
from voice.cli.rules import FORMATS, run

ROOT = Path(__file__).parents[2]


def rules(capsysbinary: pytest.CaptureFixture[bytes], ruleset: str | None, *option: str, **kind: str) -> str:
    assert run(ruleset=ruleset, lang=kind.get("lang", "en"), format=kind.get("format", "text"), option=option) == 0
    out, err = capsysbinary.readouterr()
    assert not err
    return out.decode()


class Read(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "every element is closed in its place"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    def all(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(attribute)) is not None]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("ruleset", names())
def test_text_fits_a_terminal(capsysbinary: pytest.CaptureFixture[bytes], ruleset: str, lang: str) -> None:
    page = rules(capsysbinary, ruleset, lang=lang)
    assert max(map(len, page.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in page.splitlines())
    for rule_id in rule_ids(ruleset):
        assert (rule_id in page) or rule_id.startswith("quick.runoff")
    assert f"{ruleset}1" in page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("ruleset", [None, *names()])
def test_html_stands_alone_and_is_in_order(
    capsysbinary: pytest.CaptureFixture[bytes], ruleset: str | None, lang: str
) -> None:
    page = rules(capsysbinary, ruleset, lang=lang, format="html")
    read = Read(page)
    assert page.startswith("<!doctype html>")
    assert not read.open
    assert read.tags[0] == ("html", {"lang": lang})
    assert not re.search("https?:|src=|@import|url\\(|<script|<link", page), "it asks for nothing else"
    assert [tag for tag, _ in read.tags].count("h1") == [tag for tag, _ in read.tags].count("main") == 1
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels)), "no level is left out"
    anchors = read.all("id")
    assert len(set(anchors)) == len(anchors)
    assert {href.removeprefix("#") for href in read.all("href")} <= set(anchors)
    assert set(read.all("aria-labelledby")) <= set(anchors)
    for name in names() if ruleset is None else [ruleset]:
        assert {rule_id for rule_id in rule_ids(name) if ".runoff." not in rule_id} <= set(anchors)
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in read.tags if tag == "th")
    links = [attributes for tag, attributes in read.tags if tag == "a" and "aria-label" in attributes]
    assert links
    assert all(str(link["href"])[1:] in str(link["aria-label"]) for link in links), "what is seen of a link names it"


@pytest.mark.parametrize("lang", LANGS)
def test_json_of_one_and_of_all(capsysbinary: pytest.CaptureFixture[bytes], lang: str) -> None:
    one: dict[str, Any] = json.loads(rules(capsysbinary, "quick", "seats=8", lang=lang, format="json"))
    assert (one["ruleset"], one["code"], one["lang"]) == ("quick", "quick1:seats=8", lang)
    assert one["numbers"]["seats"] == 8
    assert all(set(each) == {"id", "section", "heading", "text"} for each in one["paragraphs"])
    every: list[dict[str, Any]] = json.loads(rules(capsysbinary, None, lang=lang, format="json"))
    assert [each["ruleset"] for each in every] == list(names())


@pytest.mark.parametrize("kind", FORMATS)
def test_an_option_changes_the_page(capsysbinary: pytest.CaptureFixture[bytes], kind: str) -> None:
    plain = rules(capsysbinary, "sport", format=kind)
    changed = rules(capsysbinary, "sport", "speech_s=42.5", "points_removal=-1", format=kind)
    assert "60 seconds each" in plain
    assert "42.5 seconds each" not in plain
    assert "42.5 seconds each" in changed
    assert "60 seconds each" not in changed
    assert "A removal: −1" in " ".join(changed.split())


@pytest.mark.parametrize(
    ("ruleset", "lang", "kind", "option", "says"),
    [
        ("chess", "en", "text", (), "unknown ruleset 'chess': expected one of sport, quick, teaching, party"),
        ("sport", "de", "text", (), "--lang: expected one of en, ru, not 'de'"),
        ("sport", "en", "pdf", (), "--format: expected one of text, html, json, not 'pdf'"),
        ("sport", "en", "text", ("speech_s",), "--option: expected NAME=VALUE, not 'speech_s'"),
        ("sport", "en", "text", ("speech_s=x",), "expected a number, true or false, not 'x'"),
        (
            "quick",
            "en",
            "text",
            ("seats=11",),
            "option 'seats': expected a whole number from 6 to 10, not 11 ('quick')",
        ),
        (None, "en", "text", ("runoff=true",), "unknown option 'runoff'"),
        ("sport\n", "en", "text", (), r"unknown ruleset 'sport\n'"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str],
    ruleset: str | None,
    lang: str,
    kind: str,
    option: tuple[str, ...],
    says: str,
) -> None:
    assert run(ruleset=ruleset, lang=lang, format=kind, option=option) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    assert says in err


def test_the_command_in_a_terminal_without_unicode() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "voice.cli.main", "rules", "party", "--lang", "ru", "--option", "seats=7"],
        cwd=ROOT,
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "За этим столом 7 игроков" in done.stdout.decode()
