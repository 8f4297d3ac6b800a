/** How soon the second digit of a seat beyond 9 must follow the first. */
const SECOND_DIGIT_MS = 900;
let first: { digit: number; at: number } | null = null;

/** The seat that a digit names at a table of so many seats: 0 is seat 10, and 1 with a digit soon after it 10 to 13. */
export function seatOfDigit(digit: number, seats: number, now: number): number {
  const second = first !== null && first.digit === 1 && now - first.at < SECOND_DIGIT_MS && 10 + digit <= seats;
  first = second ? null : { digit, at: now };
  return second ? 10 + digit : digit === 0 ? 10 : digit;
}
