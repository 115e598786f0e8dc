-- Sources that are silent, broken or unusually busy beyond their normal; a worker renews the rows every hour.
CREATE TABLE newsroom.source_alert (
  source_id uuid PRIMARY KEY REFERENCES newsroom.source,
  kind text NOT NULL CHECK (kind IN ('silent', 'failing', 'suspended', 'stopped', 'busy')),
  since timestamptz NOT NULL,
  -- Entries of the last day, and those of a usual day; null where they do not matter.
  entries integer,
  usual real,
  -- When a mail to the editors named it.
  mailed_at timestamptz
);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.source_alert TO daybook_application;

-- Errors that readers reported on the pages.
CREATE TABLE newsroom.reader_report (
  id uuid PRIMARY KEY,
  -- A path of this site, or empty.
  about text NOT NULL,
  message text NOT NULL,
  reply_to text,
  at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX reader_report_open ON newsroom.reader_report (id) WHERE closed_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.reader_report TO daybook_application;

ALTER TABLE newsroom.journal_entry DROP CONSTRAINT journal_entry_subject_kind_check;
ALTER TABLE newsroom.journal_entry ADD CONSTRAINT journal_entry_subject_kind_check
  CHECK (subject_kind IN ('item', 'entry', 'story', 'source', 'report', 'daily', 'weekly', 'monthly')) NOT VALID;
