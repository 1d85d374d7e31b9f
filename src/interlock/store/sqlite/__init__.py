"""The store on a SQLite file: one writer thread, several processes on one file, no daemon."""
