-- outside a transaction
-- By which executors that ended long ago are found and removed.
DROP INDEX CONCURRENTLY IF EXISTS foundation.executor_ended_at;
CREATE INDEX CONCURRENTLY executor_ended_at ON foundation.executor (ended_at) WHERE ended_at IS NOT NULL;
