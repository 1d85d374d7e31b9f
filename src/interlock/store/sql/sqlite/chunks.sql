-- name: delete_chunks
-- Forget the pieces of a document.
DELETE FROM chunks
WHERE tenant = :tenant AND document = :document;

-- name: delete_words
-- Forget the words of a document's pieces; before the pieces themselves, which know their ids.
DELETE FROM chunk_words
WHERE rowid IN (SELECT id FROM chunks WHERE tenant = :tenant AND document = :document);

-- name: find_words
-- Where words stand, the best place first. The query names the tenant, too, so the index passes
-- over what belongs to others; the filters are empty or null for any.
SELECT c.document, c.place
FROM chunk_words
JOIN chunks AS c ON c.id = chunk_words.rowid AND c.tenant = :tenant
JOIN documents AS d ON d.tenant = :tenant AND d.id = c.document
WHERE chunk_words MATCH :query
  AND (:unit = '' OR d.unit = :unit)
  AND (:kind = '' OR d.kind = :kind)
  AND (:type = '' OR d.type = :type)
  AND (:author = '' OR d.author = :author)
  AND (:since IS NULL OR d.at >= :since)
  AND (:until IS NULL OR d.at <= :until)
  AND NOT EXISTS (
      SELECT 1
      FROM json_each(:tags) AS wanted
      WHERE NOT EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = :tenant AND t.unit = d.unit AND t.tag = wanted.value
      )
  )
ORDER BY bm25(chunk_words, 0.0, 1.0), c.document, c.place
LIMIT :limit;

-- name: forget_chunks
-- Forget the pieces of all documents of a unit.
DELETE FROM chunks
WHERE tenant = :tenant
  AND document IN (SELECT d.id FROM documents AS d WHERE d.tenant = :tenant AND d.unit = :unit);

-- name: forget_words
-- Forget the words of those pieces; before the pieces themselves, which know their ids.
DELETE FROM chunk_words
WHERE rowid IN (
    SELECT c.id
    FROM documents AS d
    JOIN chunks AS c ON c.tenant = :tenant AND c.document = d.id
    WHERE d.tenant = :tenant AND d.unit = :unit
);

-- name: insert_chunk
-- Keep a piece of a document.
INSERT INTO chunks (tenant, document, place, text, model, vector)
VALUES (:tenant, :document, :place, :text, :model, :vector);

-- name: insert_words
-- Keep the words of a piece under its id, and the word that stands for the tenant.
INSERT INTO chunk_words (rowid, owner, words)
SELECT id, :owner, :words
FROM chunks
WHERE tenant = :tenant AND document = :document AND place = :place;

-- name: list_vectors
-- The vectors that a model has made, those of the newest documents first.
SELECT c.document, c.place, c.vector
FROM documents AS d
JOIN chunks AS c ON c.tenant = :tenant AND c.document = d.id
WHERE d.tenant = :tenant AND c.model = :model AND c.vector IS NOT NULL
  AND (:unit = '' OR d.unit = :unit)
  AND (:kind = '' OR d.kind = :kind)
  AND (:type = '' OR d.type = :type)
  AND (:author = '' OR d.author = :author)
  AND (:since IS NULL OR d.at >= :since)
  AND (:until IS NULL OR d.at <= :until)
  AND NOT EXISTS (
      SELECT 1
      FROM json_each(:tags) AS wanted
      WHERE NOT EXISTS (
          SELECT 1
          FROM tags AS t
          WHERE t.tenant = :tenant AND t.unit = d.unit AND t.tag = wanted.value
      )
  )
ORDER BY d.at DESC, d.id DESC, c.place
LIMIT :limit;

-- name: load_passage
-- One piece with the document it is of.
SELECT
    c.text, c.place, d.id, d.unit, d.part, d.kind, d.type, d.title, d.urls, d.name, d.version,
    d.digest, d.media_type, d.author, d.at
FROM chunks AS c
JOIN documents AS d ON d.tenant = :tenant AND d.id = c.document
WHERE c.tenant = :tenant AND c.document = :document AND c.place = :place;
