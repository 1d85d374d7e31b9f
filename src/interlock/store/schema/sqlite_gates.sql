-- Gates and boards of today, for SQLite; it goes with sqlite.sql.

-- What waits, or has waited, for a decision: a unit (part 0) or a part in a status of kind gate. A
-- row is written in the commit that enters the status, and closed in the one that leaves it:
-- `decision` is the event that was the decision, or `withdrawn` where something else ended it, and
-- `event` is what happened either way. `opened_for` and `decided_for` say on whose behalf; the
-- sequences name the entries of the audit. What is closed never changes again. No `policy` is
-- known of those that were open before there were rows: their units say it.
CREATE TABLE gates (
    tenant           TEXT    NOT NULL,
    id               TEXT    NOT NULL,
    unit             TEXT    NOT NULL,
    part             INTEGER NOT NULL,
    workflow         TEXT    NOT NULL,
    kind             TEXT    NOT NULL,
    status           TEXT    NOT NULL,
    digest           TEXT    NOT NULL,
    policy           TEXT    NOT NULL CHECK (policy IN ('human', 'relay', '')),
    title            TEXT    NOT NULL,
    opened_at        INTEGER NOT NULL,
    opened_kind      TEXT    NOT NULL,
    opened_by        TEXT    NOT NULL,
    opened_for       TEXT    NOT NULL,
    opened_sequence  INTEGER NOT NULL,
    decision         TEXT,
    event            TEXT    NOT NULL,
    decided_at       INTEGER,
    decided_kind     TEXT    NOT NULL,
    decided_by       TEXT    NOT NULL,
    decided_for      TEXT    NOT NULL,
    channel          TEXT    NOT NULL,
    decided_sequence INTEGER,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id),
    CHECK ((decision IS NULL) = (decided_at IS NULL)),
    CHECK ((decision IS NULL) = (decided_sequence IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX gates_open ON gates (tenant, unit, part) WHERE decided_at IS NULL;
CREATE INDEX gates_by_unit ON gates (tenant, unit, part, opened_sequence);
CREATE INDEX gates_waiting ON gates (tenant, opened_at, id) WHERE decided_at IS NULL;
CREATE INDEX gates_decided ON gates (tenant, decided_at, id) WHERE decided_at IS NOT NULL;
CREATE TRIGGER gates_decide_once BEFORE UPDATE ON gates WHEN OLD.decided_at IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a gate is decided once');
END;
CREATE TRIGGER gates_lose_nothing BEFORE DELETE ON gates
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'gates are kept');
END;

-- What a board shows of a unit and finds it by: its name, and name and id folded by us, so that both
-- databases find the same. `held_at` is since when it waits to be repaired, whatever its status.
CREATE TABLE cards (
    tenant  TEXT    NOT NULL,
    unit    TEXT    NOT NULL,
    name    TEXT    NOT NULL,
    sought  TEXT    NOT NULL,
    held_at INTEGER,
    PRIMARY KEY (tenant, unit),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cards_held ON cards (tenant, unit) WHERE held_at IS NOT NULL;

-- The key that a tenant's decision links are signed with: made once, never shown. Another one makes
-- all links void that were signed with it.
CREATE TABLE link_keys (
    tenant  TEXT    NOT NULL REFERENCES tenants (id),
    secret  TEXT    NOT NULL,
    made_at INTEGER NOT NULL,
    PRIMARY KEY (tenant)
) STRICT, WITHOUT ROWID;

-- Where a tenant wants to be told what happens. `events` are words with blanks between; an empty
-- `workflow` means any. `position` is how far in the feed deliveries have been made of what was
-- read. `failing_since` is when the first delivery failed that none has succeeded after.
CREATE TABLE hooks (
    tenant        TEXT    NOT NULL REFERENCES tenants (id),
    id            TEXT    NOT NULL,
    url           TEXT    NOT NULL,
    secret        TEXT    NOT NULL,
    events        TEXT    NOT NULL,
    workflow      TEXT    NOT NULL,
    created_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    position      TEXT    NOT NULL,
    failing_since INTEGER,
    disabled_at   INTEGER,
    disabled_why  TEXT    NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- What is to be sent, or was: one for each hook and thing that happened, `about` says which. Who
-- sends it moves `due`. It is sent again until it is delivered, or failed for good.
CREATE TABLE deliveries (
    tenant       TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    hook         TEXT    NOT NULL,
    event        TEXT    NOT NULL,
    about        TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    due          INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    code         INTEGER,
    error        TEXT    NOT NULL,
    delivered_at INTEGER,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, hook, event, about),
    FOREIGN KEY (tenant, hook) REFERENCES hooks (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_due ON deliveries (due) WHERE status = 'pending';
CREATE INDEX deliveries_by_hook ON deliveries (tenant, hook, at, id);
