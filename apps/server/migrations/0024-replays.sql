-- What an edition was made from, so that it can be made again. Not for the news reader: texts of articles are in it.
CREATE TABLE record.item_words (
  item_id uuid NOT NULL REFERENCES record.item,
  -- SHA-256 of the words' canonical JSON.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  -- As they were read then; null once the item is withdrawn.
  words jsonb,
  PRIMARY KEY (item_id, hash)
);
CREATE TABLE record.edition_material (
  kind text NOT NULL,
  period text NOT NULL,
  -- Of the rules by which it was made.
  rule_version text NOT NULL,
  settings jsonb NOT NULL,
  -- { role, itemId, words: hash in hex, facts }, in the order in which they were read.
  inputs jsonb NOT NULL,
  -- SHA-256 of the canonical JSON of what was made of them: the first revision.
  contents_hash bytea NOT NULL CHECK (length(contents_hash) = 32),
  PRIMARY KEY (kind, period),
  FOREIGN KEY (kind, period) REFERENCES record.edition
);
GRANT SELECT, INSERT, UPDATE (words) ON record.item_words TO daybook_application;
GRANT SELECT, INSERT ON record.edition_material TO daybook_application;
