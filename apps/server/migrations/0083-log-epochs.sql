-- A restored database lacks entries that were signed. Its log continues as another epoch, under another name, so that it
-- contradicts no checkpoint of readers (docs/verifiability.md).
CREATE TABLE record.log_epoch (
  epoch integer PRIMARY KEY CHECK (epoch > 0),
  -- The name of the log: the first line of its checkpoints.
  origin text NOT NULL UNIQUE,
  -- The leaves that it took over from the epoch before.
  first_size bigint NOT NULL CHECK (first_size >= 0),
  -- In real time.
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Signed by the keys of the epoch before and of this one; null for the first.
  statement text,
  -- The newest checkpoint in the database when the epoch ended.
  last_checkpoint text,
  CHECK ((statement IS NULL) = (epoch = 1))
);
INSERT INTO record.log_epoch (epoch, origin, first_size, started_at)
SELECT 1, split_part(checkpoint, E'\n', 1), 0, checkpoint_at FROM record.log_head WHERE checkpoint IS NOT NULL;

ALTER TABLE record.log_head ADD COLUMN epoch integer NOT NULL DEFAULT 1;

GRANT SELECT ON record.log_epoch TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE (last_checkpoint) ON record.log_epoch TO daybook_application;
