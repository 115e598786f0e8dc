-- breaking
-- What pages and filters read: an item's language and last revision, a source's homepage, language and state, and
-- links between stories that are stored once and shown at both ends.

ALTER TABLE record.item
  -- BCP 47; null where nobody could tell.
  ADD COLUMN language text CHECK (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$'),
  -- When its words or facts last changed; null while it stands as published.
  ADD COLUMN revised_at timestamptz,
  -- Which form the stored body has (record/items/item-body.ts); `daybook record recompose` renews older ones.
  ADD COLUMN body_version smallint NOT NULL DEFAULT 1;
CREATE INDEX item_outdated_body ON record.item (id) WHERE body_version < 2 AND withdrawn_at IS NULL;

-- Null in rows from before; recompose fills them in.
ALTER TABLE record.window_item
  ADD COLUMN source_id uuid,
  ADD COLUMN language text;
CREATE INDEX window_item_source ON record.window_item (source_id, timeline_key DESC, id DESC);
CREATE INDEX window_item_language_timeline ON record.window_item (language, timeline_key DESC, id DESC);
CREATE INDEX window_item_language_published ON record.window_item (language, published_key DESC, id DESC);

ALTER TABLE record.source
  ADD COLUMN homepage_url text,
  ADD COLUMN language text,
  ADD COLUMN state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'stopped'));

CREATE TABLE record.story_link (
  one_id uuid NOT NULL REFERENCES record.story,
  other_id uuid NOT NULL REFERENCES record.story,
  -- storyline: one follows the other; related: they have something in common.
  kind text NOT NULL CHECK (kind IN ('storyline', 'related')),
  -- A story keeps its eight strongest links.
  strength real NOT NULL CHECK (strength BETWEEN 0 AND 1),
  PRIMARY KEY (one_id, other_id),
  CHECK (one_id < other_id)
);
CREATE INDEX story_link_other ON record.story_link (other_id);
INSERT INTO record.story_link (one_id, other_id, kind, strength)
SELECT least(story_id, neighbour_id), greatest(story_id, neighbour_id), max(kind), max(1.0 / (1 + position))
FROM record.story_neighbour GROUP BY 1, 2;
DROP TABLE record.story_neighbour;

-- What makes a revision or correction of an edition repeatable: the same key again changes nothing.
ALTER TABLE record.edition_revision ADD COLUMN idempotency_key text;
CREATE UNIQUE INDEX edition_revision_idempotency_key
  ON record.edition_revision (kind, period, idempotency_key) WHERE idempotency_key IS NOT NULL;

GRANT SELECT ON record.story_link TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON record.story_link TO daybook_application;
