-- What was found and made is kept as documents, cut into chunks, and searched by its words. Work
-- that must not be forgotten waits in jobs; what a model has cost stands in usage.

CREATE TABLE documents (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    unit       TEXT    NOT NULL,
    part       INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('artifact', 'output')),
    type       TEXT    NOT NULL,
    title      TEXT    NOT NULL,
    urls       TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    digest     TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    author     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit, part, name, version)
        REFERENCES artifacts (tenant, unit, part, name, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_by_unit ON documents (tenant, unit, at, id);
CREATE INDEX documents_by_age ON documents (tenant, at, id);

CREATE TABLE chunks (
    id       INTEGER PRIMARY KEY,
    tenant   TEXT    NOT NULL,
    document TEXT    NOT NULL,
    place    INTEGER NOT NULL,
    text     TEXT    NOT NULL,
    model    TEXT    NOT NULL,
    vector   BLOB,
    UNIQUE (tenant, document, place),
    FOREIGN KEY (tenant, document) REFERENCES documents (tenant, id)
) STRICT;

CREATE TABLE jobs (
    tenant   TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    about    TEXT    NOT NULL,
    due      INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    error    TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (tenant, kind, about)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_due ON jobs (due);

CREATE TABLE usage (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    who        TEXT    NOT NULL,
    what       TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    tokens_in  INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_age ON usage (tenant, at, id);
