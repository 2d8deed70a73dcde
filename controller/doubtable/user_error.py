"""What a user gave and what cannot be used: one line that says what is wrong and what to do, and exit status 2."""

BAD_INPUT = 2


class UserError(Exception):
    """The line, without the program's name before it."""
