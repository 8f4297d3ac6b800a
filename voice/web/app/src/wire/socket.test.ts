import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ServerMessage } from "./messages";
import { SILENCE_MS, TableSocket, type LinkState } from "./socket";

/** The server's end of the wire, as far as one socket shows it. */
class Line {
  onopen: (() => void) | null = null;
  onmessage: ((frame: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readyState = 0;
  closed = false;
  readonly sent: Record<string, unknown>[] = [];

  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }

  close(): void {
    this.closed = true;
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const WELCOME = { type: "welcome", table: "t" };
const line = (n: number): object => ({ type: "line", n, line: `l${n}`, seat: 1, text: "", start: 0, end: 0, by: "voice", phase: 1 });

describe("a table's socket", () => {
  let lines: Line[];
  let states: LinkState[];
  let got: ServerMessage[];
  let socket: TableSocket;
  const last = (): Line => lines.at(-1) as Line;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    states = [];
    got = [];
    socket = new TableSocket(
      {
        url: "ws://table/ws",
        token: "secret",
        random: () => 1,
        make: () => {
          lines.push(new Line());
          return last() as unknown as WebSocket;
        },
      },
      { message: (message) => got.push(message), state: (state) => states.push(state) },
    );
    socket.open();
    last().accept();
    last().say(WELCOME);
  });

  afterEach(() => {
    socket.close();
    vi.useRealTimers();
  });

  it("says hello with its token and what it has, and is open after the welcome", () => {
    expect(last().sent).toEqual([{ type: "hello", token: "secret", after: 0 }]);
    expect(states).toEqual(["connecting", "open"]);
  });

  it("answers a ping with its own time", () => {
    last().say({ type: "ping", at: 12.5 });
    expect(last().sent.at(-1)).toEqual({ type: "pong", at: 12.5 });
    expect(got).toHaveLength(1);
  });

  it("comes back and asks for what it has not seen", () => {
    last().say(line(1));
    last().say(line(2));
    last().drop(1012);
    expect(states.at(-1)).toBe("lost");
    vi.advanceTimersByTime(1_000);
    expect(lines).toHaveLength(2);
    last().accept();
    expect(last().sent).toEqual([{ type: "hello", token: "secret", after: 2 }]);
    last().say(WELCOME);
    last().say(line(2));
    last().say(line(3));
    expect(got.filter((message) => message.type === "line").map((message) => message.n)).toEqual([1, 2, 3]);
  });

  it("never shows a table with a message missing", () => {
    last().say(line(1));
    last().say(line(3));
    expect(got.filter((message) => message.type === "line")).toHaveLength(1);
    expect(lines[0]?.closed).toBe(true);
    vi.advanceTimersByTime(1_000);
    last().accept();
    expect(last().sent[0]).toMatchObject({ after: 1 });
  });

  it("waits longer each time it is turned away, and no longer than five seconds", () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const before = lines.length;
      last().drop(1006);
      let waited = 0;
      while (lines.length === before) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
  });

  it("gives up a line that is silent, and keeps one that speaks", () => {
    vi.advanceTimersByTime(SILENCE_MS - 1);
    last().say({ type: "clock", now: 1 });
    vi.advanceTimersByTime(SILENCE_MS - 1);
    expect(states.at(-1)).toBe("open");
    vi.advanceTimersByTime(2);
    expect(states.at(-1)).toBe("lost");
  });

  it.each([
    [1000, "ended"],
    [4400, "ended"],
    [4413, "ended"],
    [4401, "rejected"],
    [4409, "taken"],
    [4410, "ended"],
  ] as const)("stays away after %i", (code, state) => {
    last().drop(code);
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)).toBe(state);
    expect(lines).toHaveLength(1);
  });

  it("is patient where it was too many", () => {
    last().drop(4429);
    vi.advanceTimersByTime(4_999);
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(lines).toHaveLength(2);
  });

  it("takes a seat back when asked to", () => {
    last().drop(4409);
    socket.open();
    last().accept();
    last().say(WELCOME);
    expect(states.at(-1)).toBe("open");
  });

  it("keeps nothing for later that could not be sent", () => {
    last().drop(1006);
    expect(socket.send({ type: "start" })).toBe(false);
    vi.advanceTimersByTime(1_000);
    last().accept();
    last().say(WELCOME);
    expect(last().sent.map((message) => message["type"])).toEqual(["hello"]);
  });

  it("tries at once when the machine is online again", () => {
    last().drop(1006);
    socket.hurry();
    expect(lines).toHaveLength(2);
    vi.advanceTimersByTime(5_000);
    expect(lines).toHaveLength(2);
  });

  it("passes over what is no message", () => {
    last().onmessage?.({ data: "not json" });
    last().onmessage?.({ data: "[1]" });
    expect(got).toHaveLength(1);
    expect(states.at(-1)).toBe("open");
  });

  it("begins again where the table has less than it saw", () => {
    last().say(line(1));
    last().drop(1006);
    vi.advanceTimersByTime(1_000);
    last().accept();
    last().say({ type: "error", code: "bad_after", message: "" });
    last().drop(4400);
    vi.advanceTimersByTime(1_000);
    last().accept();
    expect(last().sent[0]).toMatchObject({ after: 0 });
  });
});
