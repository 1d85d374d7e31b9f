-- What holds for tenants that are erased, as it is today, for SQLite; it goes with sqlite.sql and its
-- neighbours, after all of them.

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
