"""`voicetable bench moderation`: how well and how fast lines are judged, on sets with labels."""
