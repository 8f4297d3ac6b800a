"""The soak: many tables' voice for a long time, with people who come and go, and what grows meanwhile."""
