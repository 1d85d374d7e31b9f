-- When the timer of a unit runs out; those of parts share the column of leases.
ALTER TABLE units ADD COLUMN due INTEGER;
CREATE INDEX units_by_due ON units (due) WHERE due IS NOT NULL;
