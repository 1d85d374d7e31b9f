-- Records beside the units: skills that clients execute, feedback, and the log of calls;
-- schema/sqlite.sql has them as they are today.

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
