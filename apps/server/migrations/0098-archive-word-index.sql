-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS record.item_archive_words;
CREATE INDEX CONCURRENTLY item_archive_words ON record.item
  USING gin (record.archive_words(discovered_at, title, original_title, summary)) WITH (fastupdate = off) WHERE selected;
