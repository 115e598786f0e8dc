-- Entries that their publisher has taken back.
ALTER TABLE newsroom.entry
  -- When it was missing from its list while an older one was still there; its page is asked once. Null while listed.
  ADD COLUMN left_list_at timestamptz,
  -- When its page answered 410. Title and text are gone, and nothing brings them back.
  ADD COLUMN withdrawn_at timestamptz;
