"""The pages of tickets: each phase has a view, and every attempt of a phase can be looked at."""
