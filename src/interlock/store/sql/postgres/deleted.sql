-- The function about deleting; schema/postgres_deleted.sql has it.

-- name: call_commit_deleted
-- Everything a command writes that deletes its unit, or nothing.
SELECT
    c.outcome, c.clock, c.asked, c.reply,
    c.number, c.kind, c.status, c.ord, c.parent, c.waits, c.feeds, c.branches, c.offer, c.slot,
    c.holder, c.fence, c.lapsed, c.fields,
    d.is_written
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
CROSS JOIN LATERAL interlock_write_deleted(c.outcome, :tenant, :unit, :deleted_at) AS d (is_written);
