-- Which tags shared caches have yet to drop. Written with the decision that withdraws or corrects; a worker deletes the
-- row once every cache that is configured has dropped them. `docs/guides/caching.md` says what follows for readers.
CREATE TABLE record.edge_purge (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  tags text[] NOT NULL CHECK (cardinality(tags) > 0),
  -- In real time, for metrics.
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Names of the caches that have dropped them.
  done_by text[] NOT NULL DEFAULT '{}'
);
GRANT SELECT, INSERT, UPDATE, DELETE ON record.edge_purge TO daybook_application;
