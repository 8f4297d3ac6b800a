"""Party Mafia: seven to thirteen seats, a detective and a doctor, free discussion."""
