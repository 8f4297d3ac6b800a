import type { Proposal, ProposalMessage } from "../wire/messages";

/** The proposals after one more message: a newer one of the same kind takes the place of the older. */
export function proposed(list: readonly Proposal[], message: ProposalMessage): Proposal[] {
  if (message.command === null) return list.filter(({ id }) => id !== message.id);
  const { id, phase, until, command } = message;
  return [...list.filter((each) => each.command.do !== command.do), { id, phase, until, command }];
}

/** The name of a proposal: after a restart of the server numbers begin anew. */
export function nameOf({ id, until }: Proposal): string {
  return `${id}@${until}`;
}

/** Those that stand: of the running phase, before their time is up. Without a clock none does. */
export function standing(list: readonly Proposal[], phase: number | null, now: number | null): Proposal[] {
  return now === null ? [] : list.filter((each) => each.phase === phase && now < each.until);
}
