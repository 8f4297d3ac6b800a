"""Origins, buckets and counts of connections."""

from __future__ import annotations

import pytest

from voice.bucket import Bucket
from voice.web.guard import Open, Origins


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        (None, "a.example", True),
        ("https://a.example", "a.example", True),
        ("https://A.example", "a.EXAMPLE", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://localhost:8001", "localhost:8000", False),
        ("https://b.example", "a.example", False),
        ("https://a.example.evil", "a.example", False),
        ("null", "a.example", False),
        ("", "a.example", False),
        ("http://[", "a.example", False),
        ("https://club.example", "a.example", True),
        ("http://club.example", "a.example", False),
    ],
)
def test_whose_page_may_talk(origin: str | None, host: str, allowed: bool) -> None:
    headers = {"host": host, **({} if origin is None else {"origin": origin})}
    assert Origins(["https://club.example/"]).allow(headers) is allowed


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    bucket = Bucket(rate=10.0, burst=3.0, now=0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.1)
    assert not bucket.take(0.15)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_connections_are_counted_by_address() -> None:
    opened = Open()
    assert opened.add("a", 2)
    assert opened.add("a", 2)
    assert not opened.add("a", 2)
    assert opened.add("b", 2)
    opened.remove("a")
    assert opened.add("a", 2)
    for key in ("a", "a", "b", "nobody"):
        opened.remove(key)
    assert not opened._counts
