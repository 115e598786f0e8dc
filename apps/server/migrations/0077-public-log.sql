-- The public log: one row for each change of something public, written in the transaction of the change. Publications take
-- no shared lock for it: one worker at a time gives committed rows their place in the log (docs/decisions/0062-public-log.md).
CREATE TABLE record.log_entry (
  -- Increases inside a transaction, and from a committed transaction to one that saw it.
  entry bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('item', 'story', 'ranking', 'daily', 'weekly', 'monthly', 'correction')),
  action text NOT NULL CHECK (action IN ('published', 'revised', 'withdrawn', 'opened', 'merged', 'split')),
  -- The id of an item, story, ranking or correction; the period of an edition.
  subject text NOT NULL,
  -- Counts the entries of the subject, from 1.
  revision integer NOT NULL CHECK (revision > 0),
  at timestamptz NOT NULL,
  -- SHA-256 of the salt and the canonical body.
  body_hash bytea CHECK (octet_length(body_hash) = 32),
  -- Null until a worker has sequenced the entry.
  leaf_index bigint UNIQUE CHECK (leaf_index >= 0),
  -- In real time, for metrics.
  decided_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (kind, subject, revision),
  CHECK ((body_hash IS NULL) = (action = 'withdrawn'))
);
CREATE INDEX log_entry_unsequenced ON record.log_entry (entry) WHERE leaf_index IS NULL;

-- The salt of the newest entry of each subject, and its body. A withdrawal deletes the row, a later entry replaces it: a hash
-- whose salt is deleted says nothing about its text.
CREATE TABLE record.log_body (
  kind text NOT NULL,
  subject text NOT NULL,
  salt bytea NOT NULL CHECK (octet_length(salt) = 32),
  -- Null for an item, whose body is composed from its row.
  body text,
  PRIMARY KEY (kind, subject)
);

-- Hashes of leaves and of full tiles below, as C2SP tlog-tiles lays them out. A tile only grows.
CREATE TABLE record.log_tile (
  level smallint NOT NULL CHECK (level BETWEEN 0 AND 7),
  index bigint NOT NULL CHECK (index >= 0),
  hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0),
  PRIMARY KEY (level, index)
);
ALTER TABLE record.log_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE record.log_head (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  -- Leaves in the log.
  size bigint NOT NULL DEFAULT 0,
  -- The newest signed checkpoint; null until a worker with a key has signed one.
  checkpoint text,
  checkpoint_size bigint NOT NULL DEFAULT 0,
  -- In real time.
  checkpoint_at timestamptz,
  -- One per line: the keys that verify checkpoints, present and former.
  verifier_keys text NOT NULL DEFAULT ''
);
INSERT INTO record.log_head DEFAULT VALUES;

GRANT SELECT ON record.log_entry, record.log_body, record.log_tile, record.log_head TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE (leaf_index) ON record.log_entry TO daybook_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON record.log_body TO daybook_application;
GRANT SELECT, INSERT, UPDATE (hashes) ON record.log_tile TO daybook_application;
GRANT SELECT, UPDATE ON record.log_head TO daybook_application;
