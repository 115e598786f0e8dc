-- outside a transaction
-- What a report may choose from, and since when there has been anything to report.
DROP INDEX CONCURRENTLY IF EXISTS record.item_selected_discovered;
CREATE INDEX CONCURRENTLY item_selected_discovered ON record.item (discovered_at) WHERE selected;
