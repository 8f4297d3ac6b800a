"""What the server keeps of its players' packets for a tap that died: no more, and for no longer, than that needs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from voice.speech.replay import KEEP_MESSAGES, KEEP_S, Memory, Sent


def packet(arrival: float, seat: int = 1) -> Sent:
    return Sent(arrival, seat, f"{seat} at {arrival}".encode())


def test_what_became_an_utterance_is_not_heard_again_and_the_gates_moves_are() -> None:
    memory = Memory(b"closed")
    memory.keep(Sent(0.0, None, b"open 1"))
    sent = [packet(1.0), packet(2.0), packet(2.5, seat=2), packet(3.0)]
    for each in sent:
        memory.keep(each)
    memory.heard(1, until=2.0)
    assert memory.messages() == [b"closed", b"open 1", sent[2].data, sent[3].data]


def test_old_packets_go_though_nothing_new_comes() -> None:
    memory = Memory(b"closed")
    memory.keep(Sent(0.0, None, b"open 1"))
    memory.keep(packet(1.0))
    memory.forget(KEEP_S + 0.9)
    assert memory.messages() == [b"open 1", packet(1.0).data]
    memory.forget(KEEP_S + 1.1)
    assert memory.messages() == [b"open 1"]
    memory.forget(1e9)
    assert memory.messages() == [b"open 1"]


@given(st.lists(st.floats(0.0, 0.01), min_size=1, max_size=KEEP_MESSAGES // 2))
def test_it_never_keeps_more_than_its_seconds_and_its_messages(gaps: list[float]) -> None:
    memory = Memory(b"closed")
    now = 0.0
    for gap in gaps * 3:
        now += gap * 20
        memory.keep(packet(now))
    kept = memory.messages()[1:]
    assert len(kept) <= KEEP_MESSAGES
    assert kept[-1] == packet(now).data
    assert float(kept[0].split()[-1]) >= now - KEEP_S


def test_a_table_where_all_talk_at_once_is_kept_as_long_as_any() -> None:
    memory = Memory(b"closed")
    for step in range(round(KEEP_S * 50)):
        for seat in range(1, 14):
            memory.keep(packet(0.02 * step, seat))
    assert len(memory.messages()) == 1 + 13 * round(KEEP_S * 50)
