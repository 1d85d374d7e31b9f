-- People on SQLite: who they are, how they come in, and what they did to each other's rights. The
-- rest of the schema is in sqlite.sql: both belong together.

-- A person of one tenant; somebody who works for two is a row in each. `password` is a hash,
-- `subject` is how an identity provider knows them: its address, a blank, and its name for them.
CREATE TABLE users (
    tenant      TEXT    NOT NULL REFERENCES tenants (id),
    id          TEXT    NOT NULL,
    email       TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    role        TEXT    NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    password    TEXT,
    subject     TEXT,
    created_at  INTEGER NOT NULL,
    disabled_at INTEGER,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, email)
) STRICT, WITHOUT ROWID;
CREATE INDEX users_by_email ON users (email);
CREATE UNIQUE INDEX users_by_subject ON users (subject, tenant) WHERE subject IS NOT NULL;

-- Secrets of invitations, sessions and login links are kept as their SHA-256, like tokens.
CREATE TABLE invitations (
    tenant       TEXT    NOT NULL REFERENCES tenants (id),
    id           TEXT    NOT NULL,
    hash         TEXT    NOT NULL UNIQUE,
    email        TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
    invited_by   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    accepted_at  INTEGER,
    withdrawn_at INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    person     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at   INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, person) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_person ON sessions (tenant, person, created_at);

-- One-time login links.
CREATE TABLE logins (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    person     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at    INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, person) REFERENCES users (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX logins_by_person ON logins (tenant, person);

-- What was done to people, tokens and the tenant itself, by whom; for ever.
CREATE TABLE acts (
    tenant  TEXT    NOT NULL REFERENCES tenants (id),
    at      INTEGER NOT NULL,
    id      TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    who     TEXT    NOT NULL,
    behalf  TEXT    NOT NULL,
    channel TEXT    NOT NULL,
    act     TEXT    NOT NULL,
    about   TEXT    NOT NULL,
    told    TEXT    NOT NULL,
    PRIMARY KEY (tenant, at, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER acts_keep_rows BEFORE UPDATE ON acts
BEGIN
    SELECT RAISE(ABORT, 'acts are append-only');
END;
CREATE TRIGGER acts_lose_nothing BEFORE DELETE ON acts
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'acts are append-only');
END;

-- How often somebody tried to log in within a minute. `key` is a hash of what they typed, so
-- that an account which does not exist is slowed down like one that does.
CREATE TABLE tries (
    key    TEXT    NOT NULL PRIMARY KEY,
    minute INTEGER NOT NULL,
    count  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tries_by_minute ON tries (minute);
