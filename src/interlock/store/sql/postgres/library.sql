-- The functions about documents, search, jobs and usage, one trip each; schema/postgres_library.sql
-- and schema/postgres_search.sql have them.

-- name: call_commit_wide
-- Everything one command writes, documents, gates, its card and timers included, or nothing.
SELECT
    c.outcome, c.clock, c.asked, c.reply,
    c.number, c.kind, c.status, c.ord, c.parent, c.waits, c.feeds, c.branches, c.offer, c.slot,
    c.holder, c.fence, c.lapsed, c.fields,
    d.is_written, g.is_written, k.is_written, t.is_written
FROM interlock_commit(
    :tenant, :unit, :before, :at, :overdue,
    :principal, :request, :asked, :reply,
    :workflow, :digest, :status, :version, :head, :made, :takes, :tally, :fields,
    :created_at, :changed_at, :ended_at,
    :sequences, :instants, :entries, :hashes,
    :numbers, :statuses, :ords, :waits, :feeds, :branches, :offers, :slots, :roles, :members,
    :sites, :holders, :fences, :lapsed, :leases, :bodies, :changed, :kinds, :parents,
    :gone, :has_beside,
    :link_parts, :link_needs, :link_places,
    :condition_parts, :condition_places, :expressions, :actions, :params, :targets,
    :tags,
    :artifact_parts, :names, :digests, :contents, :media_types, :marks, :authors,
    :skill, :skill_before, :skill_status, :skill_metadata, :skill_ended_at,
    :queue_kinds, :queue_statuses
) AS c
CROSS JOIN LATERAL interlock_write_documents(
    c.outcome, :tenant, :unit, :at, :document_ids, :document_parts, :document_names,
    :document_kinds, :types, :titles, :urls, :document_digests, :document_media_types,
    :document_authors
) AS d (is_written)
CROSS JOIN LATERAL interlock_write_gates(
    c.outcome, :tenant, :unit, :workflow,
    :closed_parts, :decisions, :events, :decided_at, :decided_kinds, :decided_by, :decided_for,
    :channels, :decided_sequences,
    :gate_ids, :gate_parts, :gate_kinds, :gate_statuses, :gate_digests, :policies, :gate_titles,
    :opened_at, :opened_kinds, :opened_by, :opened_for, :opened_sequences
) AS g (is_written)
CROSS JOIN LATERAL interlock_write_card(
    c.outcome, :tenant, :unit, :card_name, :sought, :held_at
) AS k (is_written)
CROSS JOIN LATERAL interlock_write_timers(
    c.outcome, c.clock, :tenant, :unit, :lasts, :stops
) AS t (is_written);

-- name: call_document
-- A document by its id.
SELECT
    id, unit, part, kind, type, title, urls, name, version, digest, media_type, author, at
FROM interlock_documents(:tenant, NULL, :id);

-- name: call_documents
-- The documents of a unit.
SELECT
    id, unit, part, kind, type, title, urls, name, version, digest, media_type, author, at
FROM interlock_documents(:tenant, :unit, NULL);

-- name: call_due_jobs
-- Jobs of any tenant that are due.
SELECT tenant, kind, about
FROM interlock_list_jobs(:limit);

-- name: call_fail_job
-- Put a job off, and keep what went wrong.
SELECT interlock_fail_job(:tenant, :kind, :about, :attempt, :delay_ms, :error);

-- name: call_find_words
-- Where words stand, the best place first.
SELECT document, place
FROM interlock_find_words(
    :tenant, :query, :unit, :kind, :type, :author, :since, :until, :tags, :limit
);

-- name: call_finish_job
-- Write the chunks of a document and remove its job, or put it off.
SELECT interlock_finish_job(
    :tenant, :kind, :about, :attempt, :model, :delay_ms, :error, :places, :texts, :words, :vectors
);

-- name: call_jobs
-- The jobs of a tenant.
SELECT kind, about, due, attempts, error, at
FROM interlock_jobs(:tenant, :limit);

-- name: call_latest
-- The last version of a name.
SELECT version, latest
FROM interlock_latest(:tenant, :unit, :part, :name);

-- name: call_passages
-- The text of some chunks with the documents they are of.
SELECT
    text, place, id, unit, part, kind, type, title, urls, name, version, digest, media_type,
    author, at
FROM interlock_passages(:tenant, :documents, :places);

-- name: call_queue_index
-- Have documents indexed anew that another model has indexed.
SELECT interlock_queue_index(:tenant, :model);

-- name: call_recall
-- The answer that was given to a request id.
SELECT asked, reply
FROM interlock_recall(:tenant, :principal, :request);

-- name: call_spend
-- Keep what was spent, and the answer it was spent for.
SELECT interlock_spend(
    :tenant, :id, :who, :what, :model, :tokens_in, :tokens_out, :at,
    :principal, :request, :asked, :reply
);

-- name: call_take_job
-- Take a job for a while.
SELECT interlock_take_job(:tenant, :kind, :about, :lease_ms);

-- name: call_usage
-- What was spent, the newest first.
SELECT id, who, what, model, tokens_in, tokens_out, at
FROM interlock_usage(:tenant, :limit);

-- name: call_vectors
-- The vectors that a model has made.
SELECT document, place, vector
FROM interlock_vectors(
    :tenant, :model, :unit, :kind, :type, :author, :since, :until, :tags, :limit
);
