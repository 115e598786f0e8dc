-- Which new entries of a source wait for an editor; null: none.
ALTER TABLE newsroom.source ADD COLUMN holds text;
ALTER TABLE newsroom.source ADD CONSTRAINT source_holds CHECK (holds IN ('first-import', 'all')) NOT VALID;

-- What editors decided about an entry before it is published. Deleted when it is published or withdrawn.
CREATE TABLE newsroom.entry_edit (
  entry_id uuid PRIMARY KEY REFERENCES newsroom.entry,
  -- An editor released it: it no longer waits because of its source.
  released boolean NOT NULL DEFAULT false,
  -- Instead of the words of the rules; null: those of the rules.
  title text,
  summary text,
  category text,
  -- Publishes words that the article does not support, with this public statement.
  unverified text
);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.entry_edit TO daybook_application;
