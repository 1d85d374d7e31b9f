-- Where the code of units lies, and what workers tell; schema/sqlite_projects.sql has it, too.

-- Where the code of units lies and who works on it. `settings` is opaque here; every change has
-- its version.
CREATE TABLE projects (
    tenant      TEXT    NOT NULL REFERENCES tenants (id),
    id          TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    repository  TEXT    NOT NULL,
    base_branch TEXT    NOT NULL,
    settings    TEXT    NOT NULL,
    version     INTEGER NOT NULL CHECK (version > 0),
    created_by  TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    changed_at  INTEGER NOT NULL,
    archived_at INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- What workers tell while they work, line by line, numbered within the unit. The oldest go first.
CREATE TABLE logs (
    tenant TEXT    NOT NULL,
    unit   TEXT    NOT NULL,
    number INTEGER NOT NULL,
    part   INTEGER NOT NULL,
    member TEXT    NOT NULL,
    at     INTEGER NOT NULL,
    stream TEXT    NOT NULL,
    text   TEXT    NOT NULL,
    PRIMARY KEY (tenant, unit, number),
    FOREIGN KEY (tenant, unit) REFERENCES units (tenant, id)
) STRICT, WITHOUT ROWID;
