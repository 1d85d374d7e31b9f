-- What a board shows of a unit and finds it by. Units of before get theirs when they are looked for.
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

-- A board goes over all units and is told by the index alone where each one stands.
DROP INDEX units_by_change;
CREATE INDEX units_by_change ON units (tenant, changed_at, id, workflow, status, deleted_at);
