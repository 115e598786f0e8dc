-- Entries that are certainly about another subject than the AI industry are declined.
ALTER TABLE newsroom.source
  -- Entries of this source are published whatever their subject.
  ADD COLUMN all_subjects boolean NOT NULL DEFAULT false;
ALTER TABLE newsroom.entry
  -- An operator retried it after it was declined: its subject is not checked again.
  ADD COLUMN subject_accepted boolean NOT NULL DEFAULT false;
