-- Entries of the journal about sources. Not validated: every older row has one of the former kinds.
ALTER TABLE newsroom.journal_entry DROP CONSTRAINT journal_entry_subject_kind_check;
ALTER TABLE newsroom.journal_entry ADD CONSTRAINT journal_entry_subject_kind_check
  CHECK (subject_kind IN ('item', 'entry', 'story', 'source', 'daily', 'weekly', 'monthly')) NOT VALID;
