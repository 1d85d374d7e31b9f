-- Lists can leave out what has ended. In PostgreSQL, the functions of before anew, too; SQLite has
-- nothing to call them.
CREATE INDEX units_by_open ON units (tenant, changed_at, id) WHERE ended_at IS NULL;
