"""One running table: its clock, its mailbox, its game, its log, and what each viewer is sent."""
