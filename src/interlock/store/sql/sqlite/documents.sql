-- name: insert_document
-- Describe the artifact that was just kept under a name: its version is the last one.
INSERT INTO documents (
    tenant, id, unit, part, kind, type, title, urls, name, version, digest, media_type, author, at
)
SELECT
    :tenant, :id, :unit, :part, :kind, :type, :title, :urls, :name, max(version), :digest,
    :media_type, :author, :at
FROM artifacts
WHERE tenant = :tenant AND unit = :unit AND part = :part AND name = :name;

-- name: latest_artifact
-- The last version of a name; 0 is none.
SELECT coalesce(max(version), 0)
FROM artifacts
WHERE tenant = :tenant AND unit = :unit AND part = :part AND name = :name;

-- name: list_documents
-- The documents of a unit, the oldest first.
SELECT
    id, unit, part, kind, type, title, urls, name, version, digest, media_type, author, at
FROM documents
WHERE tenant = :tenant AND unit = :unit
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = documents.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  )
ORDER BY at, id;

-- name: load_document
-- A document by its id.
SELECT
    id, unit, part, kind, type, title, urls, name, version, digest, media_type, author, at
FROM documents
WHERE tenant = :tenant AND id = :id
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = documents.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  );
