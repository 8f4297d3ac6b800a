"""Teaching Mafia: six seats, three roles, one nomination a day."""
