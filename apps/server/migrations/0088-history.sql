-- What the record said at earlier times. A revision of the public log is described by what it had differently from the next
-- one; the newest by the row of its subject. Withdrawals and corrections erase from here as from everywhere else.
CREATE TABLE record.log_content (
  kind text NOT NULL,
  subject text NOT NULL,
  -- 0: of content from before the log.
  revision integer NOT NULL CHECK (revision >= 0),
  -- Null: of content from before the log, or its words are erased; then no one can confirm a guess of them.
  salt bytea CHECK (octet_length(salt) = 32),
  -- Values that the next revision replaced, by column; null in the newest revision.
  was jsonb,
  -- When a withdrawal or a correction erased words of it.
  erased_at timestamptz,
  PRIMARY KEY (kind, subject, revision)
);
-- Items that were in a story at an earlier time.
CREATE INDEX log_content_former_story ON record.log_content ((was ->> 'story_id'))
  WHERE kind = 'item' AND was ? 'story_id';
GRANT SELECT ON record.log_content TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON record.log_content TO daybook_application;

-- Contents that were logged before have no salt any more, so only the entries of them can be proved.
DROP TABLE record.log_body;

-- The values that later revisions replaced, applied from the newest to the oldest.
CREATE AGGREGATE record.jsonb_merge(jsonb) (SFUNC = jsonb_concat, STYPE = jsonb, INITCOND = '{}');
GRANT EXECUTE ON FUNCTION record.jsonb_merge(jsonb) TO daybook_application, daybook_news_reader;

ALTER TABLE record.story
  -- The story that it was part of.
  ADD COLUMN split_from uuid;

ALTER TABLE record.story_link
  -- When the link got its present values; null: before this was stored.
  ADD COLUMN since timestamptz;
-- Values of links that changed or ended.
CREATE TABLE record.story_link_past (
  one_id uuid NOT NULL,
  other_id uuid NOT NULL,
  kind text NOT NULL,
  strength real NOT NULL,
  since timestamptz,
  until timestamptz NOT NULL
);
CREATE INDEX story_link_past_one ON record.story_link_past (one_id, until);
CREATE INDEX story_link_past_other ON record.story_link_past (other_id, until);
GRANT SELECT ON record.story_link_past TO daybook_news_reader;
GRANT SELECT, INSERT ON record.story_link_past TO daybook_application;

-- Owners of sources before they changed: independent sources are counted by them.
CREATE TABLE record.source_past (
  source_id uuid NOT NULL REFERENCES record.source,
  owner text NOT NULL,
  first_party boolean NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (source_id, until)
);
GRANT SELECT ON record.source_past TO daybook_news_reader;
GRANT SELECT, INSERT ON record.source_past TO daybook_application;
