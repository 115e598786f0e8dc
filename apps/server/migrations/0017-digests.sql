-- Stories whose digest is to be written. `newsroom/publication/README.md` says what is promised.
CREATE TABLE newsroom.story_digest (
  story_id uuid PRIMARY KEY,
  -- By the calendar; null: no report has changed since the last run.
  due_at timestamptz,
  -- Whether the last run left a digest. Where the record has none any more, a report that it cited is gone.
  written boolean NOT NULL DEFAULT false
);
CREATE INDEX story_digest_due ON newsroom.story_digest (due_at) WHERE due_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON newsroom.story_digest TO daybook_application;
