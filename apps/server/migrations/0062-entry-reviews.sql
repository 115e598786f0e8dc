-- Entries whose title is an instruction to machines, or from whose text such an instruction was removed: they are not
-- selected until an editor has decided.
CREATE TABLE newsroom.entry_review (
  entry_id uuid PRIMARY KEY REFERENCES newsroom.entry,
  -- What was removed, as its publisher wrote it. The decision holds for these texts only.
  removed text[] NOT NULL,
  found_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('accepted', 'rejected')),
  decided_at timestamptz,
  CHECK ((decision IS NULL) = (decided_at IS NULL))
);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.entry_review TO daybook_application;

ALTER TABLE record.item
  -- Shown to readers: an instruction to machines was removed from the text of its source.
  ADD COLUMN text_removed boolean NOT NULL DEFAULT false;
