-- name: find_artifact
-- The version under which the same content is kept with the same mark.
SELECT version
FROM artifacts
WHERE tenant = :tenant AND unit = :unit AND part = :part AND name = :name
  AND digest = :digest AND mark = :mark
ORDER BY version
LIMIT 1;

-- name: insert_artifact
-- Keep content under the next version of its name.
INSERT INTO artifacts (
    tenant, unit, part, name, version, digest, media_type, mark, author, at
)
VALUES (
    :tenant, :unit, :part, :name,
    (
        SELECT coalesce(max(version), 0) + 1 FROM artifacts
        WHERE tenant = :tenant AND unit = :unit AND part = :part AND name = :name
    ),
    :digest, :media_type, :mark, :author, :at
);

-- name: insert_content
-- Keep bytes under their SHA-256; once is enough, unless they were pruned.
INSERT INTO contents (tenant, digest, size, bytes)
VALUES (:tenant, :digest, :size, :bytes)
ON CONFLICT (tenant, digest) DO UPDATE SET bytes = excluded.bytes, pruned_at = NULL
WHERE pruned_at IS NOT NULL;

-- name: list_artifacts
-- What is kept for a unit, without the content.
SELECT
    a.unit, a.part, a.name, a.version, a.digest, c.size, a.media_type, a.mark, a.author, a.at
FROM artifacts AS a
JOIN contents AS c ON c.tenant = a.tenant AND c.digest = a.digest
WHERE a.tenant = :tenant AND a.unit = :unit
  AND EXISTS (
      SELECT 1
      FROM units AS u
      WHERE u.tenant = :tenant AND u.id = a.unit
        AND (u.deleted_at IS NULL OR :sees_deleted)
  )
ORDER BY a.part, a.name, a.version;

-- name: load_content
-- Bytes by their SHA-256.
SELECT bytes, pruned_at
FROM contents
WHERE tenant = :tenant AND digest = :digest;
