-- outside a transaction
-- By which stories are found that have lost their digest, or never had one.
DROP INDEX CONCURRENTLY IF EXISTS record.story_without_digest;
CREATE INDEX CONCURRENTLY story_without_digest ON record.story (id)
  WHERE digest IS NULL AND merged_into IS NULL AND source_count >= 2;
