-- Gates: what waits for a decision, and who has decided what; schema/sqlite_gates.sql has them
-- as they are today.

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
BEGIN
    SELECT RAISE(ABORT, 'gates are kept');
END;

-- What stands at a gate now is open from now on; only parts in this status could, so far. What was
-- shown lies in the last review that was kept for the part.
INSERT INTO gates (
    tenant, id, unit, part, workflow, kind, status, digest, policy, title, opened_at,
    opened_kind, opened_by, opened_for, opened_sequence, event, decided_kind, decided_by,
    decided_for, channel
)
SELECT
    u.tenant, u.id || '.' || p.number || ':' || u.version, u.id, p.number, u.workflow, p.kind,
    p.status,
    COALESCE(
        (
            SELECT a.digest
            FROM artifacts AS a
            WHERE a.tenant = p.tenant AND a.unit = p.unit AND a.part = p.number
                AND a.name = 'review'
            ORDER BY a.version DESC
            LIMIT 1
        ),
        ''
    ),
    '', '', u.changed_at, 'system', 'migration', '', u.version, '', '', '', '', ''
FROM parts AS p
JOIN units AS u ON u.tenant = p.tenant AND u.id = p.unit
WHERE p.gone_at IS NULL AND p.status = 'awaiting_input';
