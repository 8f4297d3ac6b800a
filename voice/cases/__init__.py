"""Cases: lines that wait for a person, who has which in hand, what was decided, and what came of it."""
