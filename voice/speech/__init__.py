"""From Opus packets to lines: the tap process decodes and finds utterances, the recogniser process makes them text."""
