-- outside a transaction
-- Entries whose newest revision is not shown, in the order in which they are published: withdrawals, news, imports.
DROP INDEX CONCURRENTLY IF EXISTS newsroom.entry_unpublished;
CREATE INDEX CONCURRENTLY entry_unpublished ON newsroom.entry (
  (CASE WHEN withdrawn_at IS NOT NULL THEN 0 WHEN first_import AND shown_revision IS NULL THEN 2 ELSE 1 END), id)
  WHERE shown_revision IS DISTINCT FROM revision AND outcome IS NULL AND page_domain IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS newsroom.entry_outcome;
CREATE INDEX CONCURRENTLY entry_outcome ON newsroom.entry (outcome, id) WHERE outcome IS NOT NULL;
