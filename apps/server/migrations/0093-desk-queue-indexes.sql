-- outside a transaction
-- Decisions of grouping in doubt, for the queue of the desk.
DROP INDEX CONCURRENTLY IF EXISTS newsroom.story_decision_doubtful;
CREATE INDEX CONCURRENTLY story_decision_doubtful ON newsroom.story_decision (id)
  WHERE kind IN ('open', 'join') AND (detail -> 'verdicts' -> 0 ->> 'likelihood')::float8 BETWEEN 0.35 AND 0.6;
-- Stories whose digest states a contradiction.
DROP INDEX CONCURRENTLY IF EXISTS record.story_contradicted;
CREATE INDEX CONCURRENTLY story_contradicted ON record.story (id)
  WHERE merged_into IS NULL AND jsonb_array_length(digest -> 'contradictions') > 0;
-- First imports.
DROP INDEX CONCURRENTLY IF EXISTS newsroom.source_created;
CREATE INDEX CONCURRENTLY source_created ON newsroom.source (created_at);
