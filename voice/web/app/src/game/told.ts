import type { EventMessage, GameEvent, LineMessage, Numbered } from "../wire/messages";
import { fold } from "./fold";
import { EMPTY, type TableState } from "./state";

/** A table as its seat is told of it: numbers the messages and counts the phases, as the server does. */
export class Told {
  state: TableState = EMPTY;
  readonly messages: Numbered[] = [];
  #phase = 0;

  constructor(seat: number | null, ruleset = "sport", seats = 10) {
    const people = Object.fromEntries(
      Array.from({ length: seats }, (_, index) => [String(index + 1), { name: `Player ${index + 1}`, bot: index > 1 }]));
    this.#add({ type: "seated", n: 1, seat, ruleset, people });
  }

  event(event: GameEvent): this {
    if (event.event === "phase") this.#phase += 1;
    const message: EventMessage = { type: "event", n: this.messages.length + 1, phase: this.#phase, now: event.t, event };
    this.#add(message);
    return this;
  }

  line(seat: number, text: string, line: string, t: number): this {
    const message: LineMessage = {
      type: "line", n: this.messages.length + 1, phase: this.#phase, line, seat, text, start: t, end: t + 2, by: "voice",
    };
    this.#add(message);
    return this;
  }

  #add(message: Numbered): void {
    this.messages.push(message);
    this.state = fold(this.state, message);
  }
}
