"""`voicetable bench asr`: how soon, how well and at what cost speech becomes text, on this machine.

Clips are played in real time into the speech service that a table has: each clip is one speaker's turn, with silence
after it, so that the endpointer ends the last utterance as it ends any. Beside ours stand faster-whisper's own
`transcribe` and, where it is installed, moonshine-voice: the same service with another module in the recogniser
process, hence the same endpointer's rules, the same interim cadence and the same queues. Three things that are ours
alone are off for them: the decode that begins before the end is certain, the wait that the text so far shortens or
lengthens (300 ms always, so that long utterances are cut elsewhere, too), and the skipping of interims under load.
`ours-fixed` is our recogniser with the first of these alone: the row to compare with theirs where the wait and the
captions are to be the same.

end to text: from the arrival of an utterance's last speech, as the endpointer heard it, to its line; the endpointer's
  wait is in it, and told apart as the endpoint.
word end to first text: from the moment a word of the reference text ended to the first caption or line that has it;
  to stable text: to the second caption in a row that agrees, or the line. Words that no text ever has are not counted
  (they are in the word error rate). When a word ended is found by aligning the reference text with the clip.
real-time factor: seconds of decoding final utterances over their length. CPU: of the tap's and the recognisers'
  processes, interims and all, over the clips' length. Memory: those processes' highest resident size.
"""
