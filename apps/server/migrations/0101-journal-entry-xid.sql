-- outside a transaction
-- Entries in the order of their commits.
DROP INDEX CONCURRENTLY IF EXISTS newsroom.journal_entry_xid;
CREATE INDEX CONCURRENTLY journal_entry_xid ON newsroom.journal_entry (xid, id) WHERE xid IS NOT NULL;
