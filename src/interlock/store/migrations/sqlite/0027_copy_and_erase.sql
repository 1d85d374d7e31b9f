-- How far a copy of another database into this one is; see schema/sqlite_copies.sql.

-- One row, in a database that is a copy of another one, from the first row that is copied on. `source`
-- is the incarnation of the other one and `digest` stands for everything in it; `relation` and
-- `place` are the table that is under way and how many of its rows are here. Until `finished_at`
-- nobody serves from it.
CREATE TABLE copies (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    source      TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    relation    TEXT    NOT NULL,
    place       INTEGER NOT NULL,
    begun_at    INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;

-- What is erased with its tenant; see schema/sqlite_tenants.sql.

DROP TRIGGER audit_keeps_entries;
DROP TRIGGER feedback_loses_nothing;
DROP TRIGGER acts_lose_nothing;
DROP TRIGGER gates_lose_nothing;

-- The one thing that may be done to an entry: when its tenant is erased its body is, and nothing else.
CREATE TRIGGER audit_keeps_entries BEFORE UPDATE ON audit
WHEN NEW.body <> ''
    OR (NEW.position, NEW.tenant, NEW.unit, NEW.sequence, NEW.at, NEW.hash)
        IS NOT (OLD.position, OLD.tenant, OLD.unit, OLD.sequence, OLD.at, OLD.hash)
    OR (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER feedback_loses_nothing BEFORE DELETE ON feedback
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'feedback is append-only');
END;
CREATE TRIGGER acts_lose_nothing BEFORE DELETE ON acts
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'acts are append-only');
END;
CREATE TRIGGER gates_lose_nothing BEFORE DELETE ON gates
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = OLD.tenant) IS NULL
BEGIN
    SELECT RAISE(ABORT, 'gates are kept');
END;

-- A tenant with `closed_at` is erased: what is left of it are units with `deleted_at`, the hashes of
-- their audit, and the act that says who did it. Nothing is ever added to it again.
CREATE TRIGGER units_of_open_tenants BEFORE INSERT ON units
WHEN NEW.deleted_at IS NULL
    AND (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER calls_of_open_tenants BEFORE INSERT ON calls
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER hooks_of_open_tenants BEFORE INSERT ON hooks
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER invitations_of_open_tenants BEFORE INSERT ON invitations
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER projects_of_open_tenants BEFORE INSERT ON projects
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER skills_of_open_tenants BEFORE INSERT ON skills
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER tokens_of_open_tenants BEFORE INSERT ON tokens
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER usage_of_open_tenants BEFORE INSERT ON usage
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
CREATE TRIGGER users_of_open_tenants BEFORE INSERT ON users
WHEN (SELECT t.closed_at FROM tenants AS t WHERE t.id = NEW.tenant) IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'this tenant is erased');
END;
