import { whyNot } from "../game/acts";
import { standing } from "../game/proposals";
import { rulesOf } from "../game/rules";
import { seatOf } from "../game/state";
import { t } from "../i18n/index.svelte";
import type { TableSession } from "../pages/session.svelte";
import type { Command, Proposal } from "../wire/messages";

export type Sheet = "nominate" | "claim" | "defend" | "ask" | "signs";
export type DialogName = "rules" | "settings" | "report" | "stop" | "leave";

/** How long a first press of a costly button waits for the second. */
const ARMED_MS = 4_000;
const NOTICE_MS = 6_000;
/** A press so soon after a proposal came was meant for what stood there before. */
const UNSEEN_MS = 500;

/** What is open on this player's screen, and the one place that sends commands. */
export class Desk {
  sheet = $state<Sheet | null>(null);
  dialog = $state<DialogName | null>(null);
  /** The flagged line whose reason is shown. */
  why = $state.raw<{ seat: number; line: string | null; category: string | null } | null>(null);
  passArmed = $state(false);
  notice = $state<{ text: string; bad: boolean } | null>(null);
  busy = $state(false);
  /** How many openings of votes the player has put away. */
  votesClosed = $state(0);
  /** What a digit and Enter do while a picker is open. */
  onDigit: ((seat: number) => void) | null = null;
  onEnter: (() => void) | null = null;
  /** The own card, for the key that shows it while it is held. */
  card: { show(): void; hide(): void } | null = null;

  #armed: ReturnType<typeof setTimeout> | undefined;
  #noticed: ReturnType<typeof setTimeout> | undefined;

  /** What the player may have just spoken, to be done by a tap or not at all. */
  proposals: Proposal[] = $derived.by(() =>
    standing(this.session.proposals, this.session.table.phase?.number ?? null, this.session.now));

  constructor(readonly session: TableSession) {}

  /** Opens a sheet, or closes it when it is the open one. */
  toggle(sheet: Sheet): void {
    this.disarm();
    this.sheet = this.sheet === sheet ? null : sheet;
  }

  /** A new phase: nothing half done may act in it. */
  reset(): void {
    this.disarm();
    this.sheet = null;
  }

  say(text: string, bad = false): void {
    clearTimeout(this.#noticed);
    this.notice = { text, bad };
    this.#noticed = setTimeout(() => (this.notice = null), NOTICE_MS);
  }

  async act(command: Command, done?: string, phase?: number): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    const outcome = await this.session.command(command, phase);
    this.busy = false;
    if (outcome.ok) {
      if (done !== undefined) this.say(done);
      else this.notice = null;
      return true;
    }
    this.say(outcome.code === "rule" ? t("refused-rule", { why: outcome.why }) : t(`refused-${outcome.code}`), true);
    return false;
  }

  /** The first press says what will happen, the second does it. */
  pass(): void {
    if (!this.passArmed) {
      this.passArmed = true;
      this.sheet = null;
      const { phase, ruleset } = this.session.table;
      const what = phase?.name === "best_move" ? "pass-sure-best-move"
        : phase?.name === "vote" ? `pass-sure-${rulesOf(ruleset).vote.on === "removal" ? "removal" : "vote"}`
          : phase?.name === "nomination" ? "pass-sure-nomination" : "pass-sure";
      this.say(t(what));
      this.#armed = setTimeout(() => this.disarm(), ARMED_MS);
      return;
    }
    this.disarm();
    void this.act({ do: "pass" });
  }

  /** Yes, that is what was spoken: for the phase in which it was. */
  accept(proposal: Proposal | undefined = this.proposals[0]): void {
    if (proposal === undefined || this.busy || performance.now() - this.session.proposedAt < UNSEEN_MS) return;
    this.session.putAway(proposal.id);
    this.disarm();
    this.sheet = null;
    void this.act(proposal.command, undefined, proposal.phase);
  }

  /** No: the proposals go, and nothing is done. Returns whether there were any. */
  decline(): boolean {
    const there = this.proposals;
    for (const { id } of there) this.session.putAway(id);
    return there.length > 0;
  }

  /** "I was interrupted": to be heard alone for a while. */
  floor(): void {
    const { acts, table } = this.session;
    if (acts.floor) void this.act({ do: "floor" });
    else this.say(t(whyNot(table, "floor")));
  }

  disarm(): void {
    clearTimeout(this.#armed);
    this.passArmed = false;
  }

  close(): void {
    clearTimeout(this.#armed);
    clearTimeout(this.#noticed);
  }

  /** A seat as it is spoken of: the number first, for it is the seat's name. */
  seat(seat: number): string {
    const name = seatOf(this.session.table, seat)?.name ?? "";
    return name === "" ? t("seat", { seat }) : t("seat-name", { seat, name });
  }
}
