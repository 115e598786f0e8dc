-- outside a transaction
-- The archive of one source. The archive of all sources is read by item_selected_discovered, that of a story by item_story.
DROP INDEX CONCURRENTLY IF EXISTS record.item_selected_source;
CREATE INDEX CONCURRENTLY item_selected_source ON record.item (source_id, discovered_at DESC, id DESC) WHERE selected;
