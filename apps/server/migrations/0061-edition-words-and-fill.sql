-- Which words of an edition an editor wrote, and which entries the editorial rules had not selected.
ALTER TABLE record.edition_revision
  -- headline, overview: a withdrawal keeps these words as far as they do not rest on the withdrawn item.
  ADD COLUMN by_editor text[] NOT NULL DEFAULT '{}',
  -- Items that fill up an edition with few selected stories.
  ADD COLUMN filled uuid[] NOT NULL DEFAULT '{}';
