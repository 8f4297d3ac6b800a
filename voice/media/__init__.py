"""The media plane: peers, the gate, the forwarder and the feed of the recogniser's tap.

Encoded Opus goes from the seat whose microphone is open to everybody else at the table, without being decoded.
"""
