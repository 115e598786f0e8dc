-- What came of an entry that is not shown, and the words that a model wrote for one before it is published.
-- `newsroom/publication/README.md` says what is promised.
ALTER TABLE newsroom.entry
  -- declined: not for publication; held: an editor decides; failed: an error that would return. Null: shown, or waiting.
  ADD COLUMN outcome text CHECK (outcome IN ('declined', 'held', 'failed')),
  ADD COLUMN outcome_reason text,
  ADD COLUMN outcome_at timestamptz,
  -- Which release met the error: another one tries again.
  ADD COLUMN outcome_release text,
  ADD CHECK ((outcome IS NULL) = (outcome_reason IS NULL) AND (outcome IS NULL) = (outcome_at IS NULL));
UPDATE newsroom.entry SET outcome = 'declined', outcome_reason = 'The source is isolated.', outcome_at = now()
FROM newsroom.source WHERE source.id = entry.source_id AND source.participation = 'isolated'
  AND entry.shown_revision IS NULL;

-- From the hand-over to a run of the engine until the entry is published.
CREATE TABLE newsroom.entry_copy (
  entry_id uuid PRIMARY KEY REFERENCES newsroom.entry,
  revision integer NOT NULL,
  -- By the calendar. A run that has not written the copy long after this is started again.
  handed_at timestamptz NOT NULL,
  copy jsonb
);
CREATE INDEX entry_copy_unwritten ON newsroom.entry_copy (handed_at) WHERE copy IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.entry_copy TO daybook_application;

ALTER TABLE newsroom.story_digest
  -- Runs in a row that ended in an error; the next is due later each time.
  ADD COLUMN failures integer NOT NULL DEFAULT 0;

ALTER TABLE newsroom.story_corpus
  -- Which process published last, and until when the others leave publication to it, in real time. A hint that saves
  -- them work: the lock of the transaction decides.
  ADD COLUMN placed_by uuid,
  ADD COLUMN placed_until timestamptz;
