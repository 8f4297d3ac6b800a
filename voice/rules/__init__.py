"""A rules page as it is read: in a terminal, and as one HTML document."""
