-- Copies of one text, and owners that publish the same texts, count as one independent source.
ALTER TABLE record.item
  -- The owner that the item counts for; null: the owner of its source.
  ADD COLUMN voice text;

ALTER TABLE newsroom.source
  -- Sources with the same syndicate count as one independent source; null: none.
  ADD COLUMN syndicate text;

-- How often two owners published nearly the same text among their items of one story.
CREATE TABLE newsroom.owner_syndication (
  owner text COLLATE "C" NOT NULL,
  other_owner text COLLATE "C" NOT NULL,
  -- Compared pairs of texts, and near-identical ones; both halve with age.
  compared double precision NOT NULL,
  alike double precision NOT NULL,
  rule_version text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (owner, other_owner),
  CHECK (owner < other_owner AND alike <= compared)
);
CREATE INDEX owner_syndication_alike ON newsroom.owner_syndication (owner) WHERE alike >= 4;
CREATE INDEX owner_syndication_updated ON newsroom.owner_syndication (updated_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.owner_syndication TO daybook_application;
