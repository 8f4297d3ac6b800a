"""What a server knows of a person, given to them and deleted at their wish."""
