-- What grows old is forgotten; see schema/sqlite.sql.

ALTER TABLE contents ADD COLUMN pruned_at INTEGER;
CREATE INDEX artifacts_by_digest ON artifacts (tenant, digest);
