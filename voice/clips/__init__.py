"""The sound of a flagged or reported line: remembered for a moment, cut out, encrypted, given to who judges it."""
