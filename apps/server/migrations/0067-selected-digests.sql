-- outside a transaction
-- The sums of `GET /api/v1/selected/buckets` read every digest of the selected set: from the index alone, not from
-- rows with their bodies.
DROP INDEX CONCURRENTLY IF EXISTS record.item_selected_digest;
CREATE INDEX CONCURRENTLY item_selected_digest ON record.item (id) INCLUDE (digest) WHERE selected;
