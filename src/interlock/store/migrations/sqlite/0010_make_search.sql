-- The words of each chunk under its id; in PostgreSQL they are a column, and functions find them.
CREATE VIRTUAL TABLE chunk_words USING fts5 (
    owner, words, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 0'
);
