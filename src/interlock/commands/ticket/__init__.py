"""The commands about tickets: begin one, answer its questions, decide at its gates, see it."""
