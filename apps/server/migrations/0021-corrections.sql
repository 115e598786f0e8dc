-- What was withdrawn, corrected, merged or split, and why. Public; rows are added and never changed.
CREATE TABLE record.correction (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  action text NOT NULL CHECK (action IN ('withdrawn', 'corrected', 'merged', 'split')),
  subject_kind text NOT NULL CHECK (subject_kind IN ('item', 'story', 'daily', 'weekly', 'monthly')),
  -- The id of an item or a story, the period of an edition.
  subject text NOT NULL,
  -- The story that it was merged into, or that was split off.
  other_story_id uuid REFERENCES record.story,
  reason text NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 500),
  -- SHA-256 of what stood before; null for what was done before this table was made.
  before_hash bytea CHECK (length(before_hash) = 32),
  CHECK ((other_story_id IS NOT NULL) = (action IN ('merged', 'split')))
);
CREATE INDEX correction_newest ON record.correction (at DESC, id DESC);
GRANT SELECT ON record.correction TO daybook_news_reader;
GRANT SELECT, INSERT ON record.correction TO daybook_application;

-- Which correction made the note; null for a note on a withdrawal from before.
ALTER TABLE record.edition_correction ADD COLUMN correction_id uuid REFERENCES record.correction;
CREATE INDEX edition_correction_correction ON record.edition_correction (correction_id);

-- What was withdrawn and corrected until now: each under the id of what it is about, which no new row can have.
INSERT INTO record.correction (id, at, action, subject_kind, subject, reason)
SELECT id, withdrawn_at, 'withdrawn', 'item', id::text, 'Withdrawn before reasons were recorded.'
FROM record.item WHERE withdrawn_at IS NOT NULL;
INSERT INTO record.correction (id, at, action, subject_kind, subject, reason)
SELECT id, at, 'corrected', kind, period, left(note, 500)
FROM record.edition_correction WHERE note NOT IN ('', 'An item cited here was withdrawn.');
UPDATE record.edition_correction AS note SET correction_id = correction.id
FROM record.correction WHERE correction.id = note.id;
