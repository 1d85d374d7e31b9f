-- What goes out: the key of decision links, hooks and their deliveries; schema/sqlite_gates.sql has
-- them as they are today.

-- The key that a tenant's decision links are signed with: made once, never shown. Another one makes
-- all links void that were signed with it.
CREATE TABLE link_keys (
    tenant  TEXT    NOT NULL REFERENCES tenants (id),
    secret  TEXT    NOT NULL,
    made_at INTEGER NOT NULL,
    PRIMARY KEY (tenant)
) STRICT, WITHOUT ROWID;

-- Where a tenant wants to be told what happens. `events` are words with blanks between; an empty
-- `workflow` means any. `position` is how far in the feed deliveries have been made of what was
-- read. `failing_since` is when the first delivery failed that none has succeeded after.
CREATE TABLE hooks (
    tenant        TEXT    NOT NULL REFERENCES tenants (id),
    id            TEXT    NOT NULL,
    url           TEXT    NOT NULL,
    secret        TEXT    NOT NULL,
    events        TEXT    NOT NULL,
    workflow      TEXT    NOT NULL,
    created_by    TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    position      TEXT    NOT NULL,
    failing_since INTEGER,
    disabled_at   INTEGER,
    disabled_why  TEXT    NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- What is to be sent, or was: one for each hook and thing that happened, `about` says which. Who
-- sends it moves `due`. It is sent again until it is delivered, or failed for good.
CREATE TABLE deliveries (
    tenant       TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    hook         TEXT    NOT NULL,
    event        TEXT    NOT NULL,
    about        TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    due          INTEGER NOT NULL,
    attempts     INTEGER NOT NULL,
    status       TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    code         INTEGER,
    error        TEXT    NOT NULL,
    delivered_at INTEGER,
    PRIMARY KEY (tenant, id),
    UNIQUE (tenant, hook, event, about),
    FOREIGN KEY (tenant, hook) REFERENCES hooks (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_by_due ON deliveries (due) WHERE status = 'pending';
CREATE INDEX deliveries_by_hook ON deliveries (tenant, hook, at, id);
