-- Pages of articles that are still to be read, for sources whose full text the operator may read.
ALTER TABLE newsroom.entry
  -- The registrable domain that has to be asked; null: nothing to read. The entry is published afterwards.
  ADD COLUMN page_domain text REFERENCES newsroom.domain;
CREATE INDEX entry_page_due ON newsroom.entry (page_domain, id) WHERE page_domain IS NOT NULL;
