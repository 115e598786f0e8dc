-- Items of the story index are read again when the rules for their terms change.
ALTER TABLE newsroom.story_corpus
  -- All items of the index have terms of at least this version.
  ADD COLUMN terms_version smallint NOT NULL DEFAULT 1,
  -- While items are read again: the last one that was, in the order of (reported_at, item_id); null before the first.
  ADD COLUMN reindexed_at timestamptz,
  ADD COLUMN reindexed_item uuid;
GRANT UPDATE (posted_terms, content) ON newsroom.story_report TO daybook_application;
-- An empty index has no items of an older version.
UPDATE newsroom.story_corpus SET terms_version = 2 WHERE reports = 0;
