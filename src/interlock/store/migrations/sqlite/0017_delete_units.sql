-- Units that were deleted stay for the audit, and are found by nobody else.
ALTER TABLE units ADD COLUMN deleted_at INTEGER;
