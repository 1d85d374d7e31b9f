-- name: delete_job
-- Forget a job that is done, if it is still the caller's to do.
DELETE FROM jobs
WHERE tenant = :tenant AND kind = :kind AND about = :about AND attempts = :attempt;

-- name: due_jobs
-- Jobs of any tenant that are due, the longest first.
SELECT tenant, kind, about
FROM jobs
WHERE due <= :now
ORDER BY due
LIMIT :limit;

-- name: fail_job
-- Put a job off, and keep what went wrong.
UPDATE jobs
SET due = :due, error = :error
WHERE tenant = :tenant AND kind = :kind AND about = :about AND attempts = :attempt;

-- name: forget_jobs
-- Forget what is to be done with the documents of a unit.
DELETE FROM jobs
WHERE tenant = :tenant
  AND about IN (SELECT d.id FROM documents AS d WHERE d.tenant = :tenant AND d.unit = :unit);

-- name: insert_job
-- Write down what is to be done.
INSERT INTO jobs (tenant, kind, about, due, attempts, error, at)
VALUES (:tenant, :kind, :about, :due, 0, '', :at);

-- name: list_jobs
-- The jobs of a tenant, the oldest first.
SELECT kind, about, due, attempts, error, at
FROM jobs
WHERE tenant = :tenant
ORDER BY at, kind, about
LIMIT :limit;

-- name: queue_index
-- Write down that the documents whose chunks another model has made are to be indexed anew.
INSERT INTO jobs (tenant, kind, about, due, attempts, error, at)
SELECT DISTINCT :tenant, 'index', document, :now, 0, '', :now
FROM chunks
WHERE tenant = :tenant AND model <> :model
ON CONFLICT DO NOTHING;

-- name: take_job
-- Take a job for a while; no row where somebody else has it.
UPDATE jobs
SET due = :due, attempts = attempts + 1
WHERE tenant = :tenant AND kind = :kind AND about = :about AND due <= :now
RETURNING attempts;
