-- The schema of today, for SQLite; people are in sqlite_people.sql. A test compares both with all
-- migrations applied.
--
-- The tenant comes first in every key. What is filtered, sorted, counted or unique is a column;
-- bodies (fields, tally, params, body, text) are opaque here. Instants are milliseconds since the
-- epoch. There are no booleans: a nullable instant or a number says more.

-- One row. Every restore gives the database a new incarnation, so that no old fence is good again.
CREATE TABLE incarnations (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tenants (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    closed_at  INTEGER
) STRICT, WITHOUT ROWID;

-- Tokens are kept as their SHA-256; who holds the token knows the secret, the database does not.
CREATE TABLE tokens (
    tenant     TEXT    NOT NULL REFERENCES tenants (id),
    id         TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('user', 'agent', 'worker')),
    scopes     TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    prefix     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- The person who made it: what they may not do, it may not do either.
    owner      TEXT,
    PRIMARY KEY (tenant, id),
    -- An agent never decides as a person, whatever the code above says.
    CHECK (kind = 'user' OR instr(scopes, 'decide') = 0)
) STRICT, WITHOUT ROWID;

-- A unit is changed as a whole: its version, the number of its last audit entry, guards every
-- commit. `tally` counts its parts; `takes` names the kinds its queues may hand out now. One with
-- `deleted_at` is there for the audit alone: nobody else finds it. `due` is when its timer runs out.
CREATE TABLE units (
    tenant     TEXT    NOT NULL REFERENCES tenants (id),
    id         TEXT    NOT NULL,
    workflow   TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    version    INTEGER NOT NULL CHECK (version > 0),
    head       TEXT    NOT NULL,
    made       INTEGER NOT NULL,
    takes      TEXT    NOT NULL,
    tally      TEXT    NOT NULL,
    fields     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    ended_at   INTEGER,
    deleted_at INTEGER,
    due        INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX units_by_change ON units (tenant, changed_at, id, workflow, status, deleted_at);
CREATE INDEX units_by_open ON units (tenant, changed_at, id) WHERE ended_at IS NULL;
CREATE INDEX units_by_work ON units (tenant, created_at, id) WHERE takes <> '';
CREATE INDEX units_by_due ON units (due) WHERE due IS NOT NULL;

CREATE TABLE tags (
    tenant TEXT NOT NULL,
    unit   TEXT NOT NULL,
    tag    TEXT NOT NULL,
    PRIMARY KEY (tenant, unit, tag),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT, WITHOUT ROWID;

-- `number` counts the parts of a unit as they were made; `ord` is their order, sparse. `waits`
-- counts open parts it needs, `feeds` the parts that need it, `branches` the conditions that hang
-- on it. `offer` is its rank in the queue as far as the part alone can say: 0 first, 1 in turn.
CREATE TABLE parts (
    tenant   TEXT    NOT NULL,
    unit     TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    status   TEXT    NOT NULL,
    ord      INTEGER NOT NULL,
    parent   INTEGER,
    waits    INTEGER NOT NULL CHECK (waits >= 0),
    feeds    INTEGER NOT NULL CHECK (feeds >= 0),
    branches INTEGER NOT NULL CHECK (branches >= 0),
    offer    INTEGER,
    slot     TEXT,
    role     TEXT,
    member   TEXT,
    holder   TEXT,
    fence    INTEGER NOT NULL,
    lapsed   INTEGER NOT NULL,
    due      INTEGER,
    fields   TEXT    NOT NULL,
    gone_at  INTEGER,
    site     TEXT,
    PRIMARY KEY (tenant, unit, number),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX parts_by_slot ON parts (tenant, unit, slot) WHERE slot IS NOT NULL;
CREATE INDEX parts_by_ord ON parts (tenant, unit, ord) WHERE gone_at IS NULL;
CREATE INDEX parts_by_offer ON parts (tenant, unit, kind, status, offer, ord)
    WHERE offer IS NOT NULL;
CREATE INDEX parts_by_parent ON parts (tenant, unit, parent) WHERE parent IS NOT NULL;
CREATE INDEX parts_by_due ON parts (due) WHERE due IS NOT NULL;

-- `part` needs `need`; an open need holds a part back.
CREATE TABLE links (
    tenant TEXT    NOT NULL,
    unit   TEXT    NOT NULL,
    part   INTEGER NOT NULL,
    need   INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    PRIMARY KEY (tenant, unit, part, need),
    FOREIGN KEY (tenant, unit, part) REFERENCES parts (tenant, unit, number),
    FOREIGN KEY (tenant, unit, need) REFERENCES parts (tenant, unit, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_need ON links (tenant, unit, need);

-- Branches that hang on a part, asked in the order of `place`.
CREATE TABLE conditions (
    tenant     TEXT    NOT NULL,
    unit       TEXT    NOT NULL,
    part       INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    expression TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    params     TEXT    NOT NULL,
    target     INTEGER,
    PRIMARY KEY (tenant, unit, part, place),
    FOREIGN KEY (tenant, unit, part) REFERENCES parts (tenant, unit, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX conditions_by_target ON conditions (tenant, unit, target) WHERE target IS NOT NULL;

-- What happened, for ever. `position` orders the feed: with one writer at a time, entries become
-- visible in its order.
CREATE TABLE audit (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant   TEXT    NOT NULL,
    unit     TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    hash     TEXT    NOT NULL,
    UNIQUE (tenant, unit, sequence),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT;
-- The one thing that may be done to an entry: when its tenant is erased its body is, and nothing else.
CREATE TRIGGER audit_keeps_entries BEFORE UPDATE ON audit
WHEN NEW.body <> ''
    OR (NEW.position, NEW.tenant, NEW.unit, NEW.sequence, NEW.at, NEW.hash)
        IS NOT (OLD.position, OLD.tenant, OLD.unit, OLD.sequence, OLD.at, OLD.hash)
    OR (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_loses_nothing BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;

-- The answer to a request id, written in the commit it answers for.
CREATE TABLE replies (
    tenant    TEXT    NOT NULL,
    principal TEXT    NOT NULL,
    request   TEXT    NOT NULL,
    asked     TEXT    NOT NULL,
    unit      TEXT    NOT NULL,
    text      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (tenant, principal, request)
) STRICT, WITHOUT ROWID;

-- Content by its SHA-256, written once. With `pruned_at` it is gone, and only what it was is known.
CREATE TABLE contents (
    tenant    TEXT    NOT NULL,
    digest    TEXT    NOT NULL,
    size      INTEGER NOT NULL,
    bytes     BLOB    NOT NULL,
    pruned_at INTEGER,
    PRIMARY KEY (tenant, digest)
) STRICT;

-- `part` is 0 for what belongs to the whole unit. `mark` says what is special: late.
CREATE TABLE artifacts (
    tenant     TEXT    NOT NULL,
    unit       TEXT    NOT NULL,
    part       INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    digest     TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    mark       TEXT    NOT NULL,
    author     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (tenant, unit, part, name, version),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    FOREIGN KEY (tenant, digest) REFERENCES contents (tenant, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifacts_by_digest ON artifacts (tenant, digest);

-- What a client does with a skill. It is `started` until it has ended; that it is executing is told
-- by the unit it is linked to, which has then left its first status. One execution has one unit.
CREATE TABLE skills (
    tenant     TEXT    NOT NULL REFERENCES tenants (id),
    id         TEXT    NOT NULL,
    session    TEXT    NOT NULL,
    principal  TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    status     TEXT    NOT NULL CHECK (status IN ('started', 'completed', 'failed')),
    metadata   TEXT    NOT NULL,
    unit       TEXT,
    started_at INTEGER NOT NULL,
    ended_at   INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    CHECK ((status = 'started') = (ended_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX skills_by_session ON skills (tenant, session, started_at, id)
    WHERE status = 'started' AND unit IS NULL;
CREATE UNIQUE INDEX skills_by_unit ON skills (tenant, unit) WHERE unit IS NOT NULL;

-- What people and agents think of a unit, for ever.
CREATE TABLE feedback (
    tenant    TEXT    NOT NULL,
    id        TEXT    NOT NULL,
    unit      TEXT    NOT NULL,
    rating    INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
    text      TEXT    NOT NULL,
    principal TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX feedback_by_unit ON feedback (tenant, unit, at, id);
CREATE TRIGGER feedback_keeps_rows BEFORE UPDATE ON feedback
BEGIN
    SELECT RAISE(ABORT, 'feedback is append-only');
END;
CREATE TRIGGER feedback_loses_nothing BEFORE DELETE ON feedback
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'feedback is append-only');
END;

-- Which tools were called, by whom, and how it went. Nobody changes a row; old ones are pruned.
-- `kind` and `principal` say who; `failed` is 1 where the answer was an error.
CREATE TABLE calls (
    tenant      TEXT    NOT NULL REFERENCES tenants (id),
    at          INTEGER NOT NULL,
    id          TEXT    NOT NULL,
    tool        TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    principal   TEXT    NOT NULL,
    session     TEXT    NOT NULL,
    channel     TEXT    NOT NULL,
    request     TEXT    NOT NULL,
    response    TEXT    NOT NULL,
    duration_ms INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    PRIMARY KEY (tenant, at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calls_by_at ON calls (at);
CREATE TRIGGER calls_keep_rows BEFORE UPDATE ON calls
BEGIN
    SELECT RAISE(ABORT, 'calls are append-only');
END;
-- An artifact that people and models look for: what it is about, where it came from. `urls` is
-- opaque here.
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

-- A document in pieces. `vector` is what `model` makes of the piece, as 32-bit floats.
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

-- The words of each chunk under its id. `owner` is a word that stands for the tenant and is asked
-- for with every search: what belongs to others is passed over in the index already.
CREATE VIRTUAL TABLE chunk_words USING fts5 (
    owner, words, content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 0'
);

-- Work that must not be forgotten: who takes it moves `due`, and who has done it removes it.
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

-- What a model was asked for, by whom, and what it counted.
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
