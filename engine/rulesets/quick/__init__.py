"""Quick Mafia: two roles, a vote by day, a choice by night."""
