"""Accounts: people with a name and a role of their own, known by a token. A player needs none to sit down."""

from voice.accounts.accounts import (
    HOST,
    ROLES,
    Account,
    AccountError,
    Role,
    add,
    by_token,
    disable,
    listed,
    renew,
    seats_of,
)

__all__ = [
    "HOST",
    "ROLES",
    "Account",
    "AccountError",
    "Role",
    "add",
    "by_token",
    "disable",
    "listed",
    "renew",
    "seats_of",
]
