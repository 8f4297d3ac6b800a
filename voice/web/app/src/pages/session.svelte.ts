import { acts, NOTHING, type Acts } from "../game/acts";
import { TableClock } from "../game/clock";
import { fold } from "../game/fold";
import { settled, shown, type Interims } from "../game/interims";
import { nameOf, proposed } from "../game/proposals";
import { EMPTY, type TableState } from "../game/state";
import { settings } from "../settings.svelte";
import { chime } from "../voice/audio";
import { VoiceLink } from "../voice/link.svelte";
import { microphone } from "../voice/mic.svelte";
import { socketAddress } from "../wire/http";
import {
  isNumbered, type CaptionsState, type Command, type Numbered, type Person, type Proposal, type ServerMessage, type Welcome,
} from "../wire/messages";
import { TableSocket, type LinkState } from "../wire/socket";
import { findInTab, forgetToken, keepInTab, keepToRead } from "../wire/tokens";

export type Outcome = { ok: true } | { ok: false; why: string; code: "late" | "rule" | "lost" };

/** An event older than this is history that a reconnect brought: it makes no sound and is not read out. */
const HISTORY_S = 4;
/** Messages that come in one burst are drawn together. */
const DRAW_MS = 40;
const TICK_MS = 200;
const KEEPING_UP = { state: "live", lost: 0 } as const;
const ANSWER_MS = 6_000;
/** More proposals than that never stand at once. */
const AWAY_KEPT = 8;

/** A seat at a table, as the page has it: the connection, the voice, and the fold of what was told. */
export class TableSession {
  link = $state<LinkState>("connecting");
  welcome = $state.raw<Welcome | null>(null);
  lobby = $state.raw<{ people: Person[]; owner: string | null } | null>(null);
  table = $state.raw<TableState>(EMPTY);
  interim = $state.raw<Interims>({});
  /** Whether captions keep up, and how many lines never had a text. */
  captions = $state.raw<{ state: CaptionsState; lost: number }>(KEEPING_UP);
  /** Commands that this player may have spoken; some of them void by now. */
  proposals = $state.raw<Proposal[]>([]);
  /** When the last of them changed, ms of the page's clock. */
  proposedAt = 0;
  /** Seats whose voice link is alive. */
  alive = $state.raw<number[]>([]);
  /** By how many streams a page has: the seat whose voice each of them carries. */
  slots = $state.raw<Record<number, (number | null)[]>>({});
  /** Seats that this page does not play. */
  hushed = $state.raw<number[]>([]);
  /** Table time, ticking; null before the game. */
  now = $state<number | null>(null);
  /** How often something has changed in this player's cases or reports. */
  caseNews = $state(0);
  /** What came lately is new, not history. */
  live = $state(false);
  /** The last error of the server that answered no frame of ours. */
  trouble = $state.raw<{ code: string; message: string } | null>(null);
  voice: VoiceLink;

  /** Proposals that were answered or put away: the table does not know, and sends them again to a new connection. */
  #away: string[];
  #answered = $state.raw<{ phase: number; what: string } | null>(null);
  #socket: TableSocket;
  #folded: TableState = EMPTY;
  #clock = new TableClock();
  #drawn = 0;
  #draw: ReturnType<typeof setTimeout> | undefined;
  #tick: ReturnType<typeof setInterval> | undefined;
  #ids = 0;
  #pending = new Map<number, (outcome: Outcome) => void>();
  #stops: (() => void)[] = [];
  #voiceStarted = false;
  #micOpen = false;

  /** `watch`: a moderator listens in. */
  constructor(readonly id: string, token: string, readonly options: { watch?: boolean } = {}) {
    this.#socket = new TableSocket(
      { url: socketAddress(), token, ...(options.watch === true ? { table: id } : {}) },
      { message: (message) => this.#receive(message), state: (state) => this.#linked(state) },
    );
    this.voice = new VoiceLink({
      send: (sdp) => {
        const offer = ++this.#ids;
        return this.#socket.send({ type: "offer", id: offer, sdp }) ? offer : null;
      },
    });
    this.#away = (findInTab(`away.${id}`) ?? "").split(" ");
    const kept = /^(\d+):(.*)$/.exec(findInTab(`answered.${id}`) ?? "");
    if (kept) this.#answered = { phase: Number(kept[1]), what: kept[2] ?? "" };
  }

  /** The state of play that decides which page is shown. */
  status = $derived.by(() => {
    if (this.table.result !== null || this.welcome?.state === "over") return "over";
    if (this.table.seats.length > 0 || this.welcome?.state === "running") return "running";
    return this.welcome === null ? "unknown" : "waiting";
  });

  /** What this seat answered in this phase's hidden vote or lift, in the client's own words; null for nothing yet. */
  answered = $derived.by(() => (this.#answered?.phase === this.table.phase?.number ? (this.#answered?.what ?? null) : null));

  acts: Acts = $derived.by(() =>
    this.welcome?.role === "moderator" || this.table.result !== null
      ? NOTHING
      : acts(this.table, this.number("signs_per_speech"), this.answered !== null));

  micOpen = $derived.by(() => this.table.me !== null && this.table.mic.includes(this.table.me));

  /** The seat whose voice each stream of this page carries. */
  heard = $derived.by(() => this.slots[this.voice.remote.length] ?? []);

  isOwner = $derived.by(() => {
    const you = this.welcome?.you ?? null;
    return you !== null && you === (this.lobby?.owner ?? this.welcome?.owner);
  });

  open(): void {
    // The network is back or another, the machine has slept, the phone call is over: look at everything at once.
    const again = (): void => {
      if (document.visibilityState === "hidden") return;
      this.hurry();
      void microphone.recover();
    };
    const network = (navigator as { connection?: EventTarget }).connection;
    for (const [target, event] of [[window, "online"], [document, "visibilitychange"], [window, "pageshow"], [network, "change"]] as const) {
      target?.addEventListener(event, again);
      this.#stops.push(() => target?.removeEventListener(event, again));
    }
    this.#stops.push(
      $effect.root(() => {
        $effect(() => {
          this.voice.setTrack(microphone.stream?.getAudioTracks()[0] ?? null);
        });
      }),
    );
    this.#tick = setInterval(() => this.#read(), TICK_MS);
    void microphone.resume();
    this.#socket.open();
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    clearInterval(this.#tick);
    clearTimeout(this.#draw);
    this.#socket.close();
    this.voice.stop();
  }

  /** After another tab took the seat, or a refused token was mended: asks for it again. */
  takeBack(): void {
    this.#socket.open();
  }

  /** Tries the connection at once. */
  hurry(): void {
    this.#socket.hurry();
    this.voice.hurry();
  }

  /** The ruleset's own numbers, which the texts and the moves are made with. */
  numbers: Record<string, number> = $derived.by(() =>
    Object.fromEntries(
      Object.entries(this.welcome?.numbers ?? {}).filter((pair): pair is [string, number] => typeof pair[1] === "number")));

  number(name: string): number {
    return this.numbers[name] ?? 0;
  }

  /** Plays a seat's voice on this page, or does not; the table is not told. */
  hush(seat: number): void {
    this.hushed = this.hushed.includes(seat) ? this.hushed.filter((each) => each !== seat) : [...this.hushed, seat];
  }

  ready(ready: boolean): void {
    this.#socket.send({ type: "ready", ready });
  }

  start(): void {
    this.#socket.send({ type: "start" });
  }

  leave(): void {
    this.#socket.send({ type: "leave" });
    if (this.status === "waiting") forgetToken(this.id);
    else keepToRead(this.id);
    this.close();
  }

  /** A proposal was answered, or put away. */
  putAway(id: number): void {
    const gone = this.proposals.filter((each) => each.id === id).map(nameOf);
    this.proposals = this.proposals.filter((each) => each.id !== id);
    this.#away = [...this.#away, ...gone].slice(-AWAY_KEPT);
    keepInTab(`away.${this.id}`, this.#away.join(" "));
  }

  /** Sends a command for a phase, by default that which the viewer sees; the promise always settles. */
  command(command: Command, phase = this.#folded.phase?.number ?? 0): Promise<Outcome> {
    const id = ++this.#ids;
    const answer = this.#answerOf(command);
    return new Promise((resolve) => {
      if (!this.#socket.send({ type: "command", id, phase, command })) {
        resolve({ ok: false, why: "", code: "lost" });
        return;
      }
      const timer = setTimeout(() => this.#settle(id, { ok: false, why: "", code: "lost" }), ANSWER_MS);
      this.#pending.set(id, (outcome) => {
        clearTimeout(timer);
        if (outcome.ok && answer !== null) this.#remember(answer, phase);
        resolve(outcome);
      });
    });
  }

  /** What a command answers to a hidden question, in the client's own words; null for one that answers none. */
  #answerOf(command: Command): string | null {
    if (command.do === "vote") return String(command.target);
    if (command.do === "lift") return command.yes ? "yes" : "no";
    if (command.do === "ok") return "ok";
    return command.do === "pass" && this.#folded.phase?.name === "vote" ? "pass" : null;
  }

  #remember(what: string, phase: number): void {
    this.#answered = { phase, what };
    keepInTab(`answered.${this.id}`, `${phase}:${what}`);
  }

  /** A seat's own link that the table has lost is made anew: the page itself would notice only after seconds. */
  #link(seats: number[]): void {
    const me = this.#folded.me;
    if (me !== null && this.alive.includes(me) && !seats.includes(me)) this.voice.lost();
    this.alive = seats;
  }

  #settle(id: number, outcome: Outcome): void {
    const settle = this.#pending.get(id);
    this.#pending.delete(id);
    settle?.(outcome);
  }

  #linked(state: LinkState): void {
    this.link = state;
    if (state === "open") return;
    this.live = false;
    this.interim = {};
    this.proposals = [];
    for (const id of [...this.#pending.keys()]) this.#settle(id, { ok: false, why: "", code: "lost" });
    if (state === "rejected" && this.options.watch !== true) forgetToken(this.id); // or the invitation would lead back here
    if (state === "taken" || state === "rejected" || state === "ended") this.#stopVoice();
  }

  #receive(message: ServerMessage): void {
    if (isNumbered(message)) {
      this.#take(message);
      return;
    }
    switch (message.type) {
      case "welcome":
        this.welcome = message;
        this.slots = {};
        this.captions = KEEPING_UP;
        this.#hear(message.now);
        // A server that was away has forgotten the voice connection.
        this.#stopVoice();
        this.#startVoice();
        break;
      case "lobby":
        this.lobby = message;
        break;
      case "interim":
        this.interim = shown(this.interim, message);
        break;
      case "captions":
        this.captions = message;
        break;
      case "proposal":
        if (!settings.proposals || (message.command !== null && this.#away.includes(nameOf(message)))) break;
        this.proposals = proposed(this.proposals, message);
        this.proposedAt = performance.now();
        break;
      case "link":
        this.#link(message.seats);
        break;
      case "slots":
        this.slots = { ...this.slots, [message.seats.length]: message.seats };
        break;
      case "cases":
        this.caseNews += 1;
        break;
      case "clock":
        this.#hear(message.now);
        break;
      case "done":
        this.#settle(message.id, { ok: true });
        break;
      case "refused":
        this.#settle(message.id, { ok: false, why: message.why, code: message.code });
        break;
      case "answer":
        void this.voice.answer(message.id, message.sdp);
        break;
      case "error":
        if (message.id === undefined) this.trouble = message;
        else {
          this.voice.refused(message.id, message.code);
          this.#settle(message.id, { ok: false, why: message.message, code: "rule" });
        }
        break;
      case "ping":
        break;
    }
  }

  #take(message: Numbered): void {
    this.#folded = fold(this.#folded, message);
    const now = this.#clock.at(monotonic());
    const t = message.type === "event" ? message.event.t : message.type === "line" ? message.end : 0;
    // A line comes some time after it was spoken.
    const fresh = now === null || t > now - (message.type === "line" ? 15 : HISTORY_S);
    if (fresh) this.live = true;
    if (message.type === "line") this.interim = settled(this.interim, message);
    if (message.type === "seated") this.#startVoice();
    if (message.type === "event" && message.event.event === "mic") this.#gate(fresh);
    this.#schedule();
  }

  #gate(fresh: boolean): void {
    const { me, mic } = this.#folded;
    const open = me !== null && mic.includes(me);
    this.voice.setOpen(open);
    if (open !== this.#micOpen && fresh && settings.sounds) chime(open);
    this.#micOpen = open;
  }

  #startVoice(): void {
    if (this.#voiceStarted || this.welcome === null || this.#folded.seats.length === 0) return;
    this.#voiceStarted = true;
    this.voice.start(this.welcome.ice_servers, this.#folded.me === null, this.welcome.slots);
  }

  #stopVoice(): void {
    this.#voiceStarted = false;
    this.voice.stop();
  }

  #hear(now: number | null): void {
    if (now === null) return;
    this.#clock.hear(now, monotonic());
    this.#read();
  }

  #read(): void {
    if (this.#folded.result !== null) return;
    this.now = this.#clock.at(monotonic());
  }

  #schedule(): void {
    if (this.#draw !== undefined) return;
    const wait = Math.max(0, this.#drawn + DRAW_MS - performance.now());
    this.#draw = setTimeout(() => {
      this.#draw = undefined;
      this.#drawn = performance.now();
      this.table = this.#folded;
    }, wait);
  }
}

function monotonic(): number {
  return performance.now() / 1000;
}
