-- An edition has a headline and an overview in each language of its readers and, in each, a report of every entry's
-- story, where one exists. Entries and their order are the same in all languages.
ALTER TABLE record.edition_revision
  -- Of headline and overview; null in editions of 0.1.0.
  ADD COLUMN language text;
ALTER TABLE record.edition_material
  -- The release that composed the edition; null for 0.1.0.
  ADD COLUMN release text;

-- Headline and overview in a language other than that of the revision.
CREATE TABLE record.edition_version (
  kind text NOT NULL,
  period text NOT NULL,
  revision integer NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'zh')),
  headline text NOT NULL,
  overview text NOT NULL,
  headline_cites uuid[] NOT NULL,
  overview_cites uuid[] NOT NULL,
  by_editor text[] NOT NULL,
  PRIMARY KEY (kind, period, revision, language),
  FOREIGN KEY (kind, period, revision) REFERENCES record.edition_revision
);
-- The report that readers of a language get in place of an entry in another language.
CREATE TABLE record.edition_report (
  kind text NOT NULL,
  period text NOT NULL,
  revision integer NOT NULL,
  language text NOT NULL CHECK (language IN ('en', 'zh')),
  entry_id uuid NOT NULL,
  item_id uuid NOT NULL REFERENCES record.item,
  PRIMARY KEY (kind, period, revision, language, entry_id),
  FOREIGN KEY (kind, period, revision, entry_id) REFERENCES record.edition_citation
);
CREATE INDEX edition_report_item ON record.edition_report (item_id);
GRANT SELECT ON record.edition_version, record.edition_report TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON record.edition_version, record.edition_report TO daybook_application;

-- A process of 0.1.0 does not know `edition_version`: its withdrawals must remove the item's words from it as well.
-- Deferred: a newer process has written the words again before the end of the transaction.
CREATE FUNCTION record.drop_edition_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM record.edition_version AS version
  USING (
    SELECT kind, period FROM record.edition_citation WHERE item_id = NEW.id
    UNION SELECT kind, period FROM record.edition_report WHERE item_id = NEW.id
  ) AS citing
  WHERE (version.kind, version.period) = (citing.kind, citing.period)
    AND NEW.id = ANY (version.headline_cites || version.overview_cites);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER withdrawn_item_leaves_edition_versions AFTER UPDATE OF withdrawn_at ON record.item
  DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL)
  EXECUTE FUNCTION record.drop_edition_versions();
