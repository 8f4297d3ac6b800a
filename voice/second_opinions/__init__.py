"""Second opinions on lines: a toxicity model in a process of its own, off the path of sound, captions and verdicts."""
