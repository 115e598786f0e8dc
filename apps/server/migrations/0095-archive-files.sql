-- The selected items of each completed month as one compressed file.
CREATE TABLE record.archive_file (
  -- Of Asia/Shanghai: 2026-10.
  month text PRIMARY KEY CHECK (month ~ '^\d{4}-\d{2}$'),
  -- Of the links in it.
  base_url text NOT NULL,
  item_count integer NOT NULL CHECK (item_count > 0),
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  content bytea NOT NULL,
  written_at timestamptz NOT NULL
);
-- It is compressed already.
ALTER TABLE record.archive_file ALTER COLUMN content SET STORAGE EXTERNAL;

-- Changes of the ledger up to this position are in the files; a month with a later one has no valid file.
CREATE TABLE record.archive_state (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  position bigint NOT NULL
);
INSERT INTO record.archive_state (position) SELECT position FROM record.ledger_head;

GRANT SELECT ON record.archive_file, record.archive_state TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON record.archive_file, record.archive_state TO daybook_application;
