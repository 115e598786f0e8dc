-- Paragraphs of article pages by source: one that repeats on pages of several stories is boilerplate.
-- See `ingest/boilerplate/README.md`.
CREATE TABLE newsroom.source_block (
  source_id uuid NOT NULL REFERENCES newsroom.source ON DELETE CASCADE,
  -- The rule that normalised the paragraph; rows of other versions are not read.
  rule_version smallint NOT NULL,
  -- The first half of the SHA-256 of the normalised paragraph.
  block bytea NOT NULL CHECK (octet_length(block) = 16),
  -- The first entries whose pages contain it.
  entries uuid[] NOT NULL CHECK (cardinality(entries) BETWEEN 1 AND 8),
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (source_id, rule_version, block)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.source_block TO daybook_application;
