import type { InterimMessage, LineMessage } from "../wire/messages";

/** What a seat is saying: what hardly will change, and what still may. */
export interface Interim {
  agreed: string;
  rest: string;
  start: number;
}

export type Interims = Record<number, Interim>;

/** The captions after one more of them. */
export function shown(interims: Interims, { seat, text, agreed, start }: InterimMessage): Interims {
  if (text === "") return without(interims, seat);
  const characters = [...text];
  return { ...interims, [seat]: { agreed: characters.slice(0, agreed).join(""), rest: characters.slice(agreed).join(""), start } };
}

/** The captions after a line: it takes the place of its own, not of one of later words, where it comes late. */
export function settled(interims: Interims, { seat, end }: LineMessage): Interims {
  const interim = interims[seat];
  return interim === undefined || interim.start >= end ? interims : without(interims, seat);
}

function without(interims: Interims, seat: number): Interims {
  const { [seat]: _, ...others } = interims;
  return others;
}
