-- The public record: what the newsroom publishes and the news API shows. `record/README.md` says what each
-- decision does to these tables.

CREATE TABLE record.source (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  -- Sources of one owner count once where independence matters.
  owner text NOT NULL,
  first_party boolean NOT NULL
);

-- Near-identical reports of one fact.
CREATE TABLE record.reading_group (
  id uuid PRIMARY KEY,
  -- The earliest timeline_at among its items that stand; the last known one where none does.
  first_appeared_at timestamptz NOT NULL,
  -- The selected one, if any.
  representative_id uuid
);

CREATE TABLE record.story (
  -- Its public id.
  id uuid PRIMARY KEY,
  title text NOT NULL,
  storyline_id uuid,
  source_count integer NOT NULL,
  report_count integer NOT NULL,
  first_report_at timestamptz,
  latest_at timestamptz,
  -- { text, updatedAt, sentences, contradictions }; null until written, and after a withdrawal of what it cites.
  digest jsonb,
  -- Always the final survivor, never another merged story.
  merged_into uuid REFERENCES record.story,
  merged_at timestamptz,
  CHECK ((merged_into IS NULL) = (merged_at IS NULL)),
  CHECK (merged_into IS DISTINCT FROM id)
);
CREATE INDEX story_merged_into ON record.story (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX story_storyline ON record.story (storyline_id) WHERE storyline_id IS NOT NULL;
CREATE INDEX story_latest_at ON record.story (latest_at DESC) WHERE merged_into IS NULL;

CREATE TABLE record.story_neighbour (
  story_id uuid NOT NULL REFERENCES record.story,
  neighbour_id uuid NOT NULL REFERENCES record.story,
  kind text NOT NULL CHECK (kind IN ('storyline', 'related')),
  relation text NOT NULL,
  position smallint NOT NULL,
  PRIMARY KEY (story_id, neighbour_id),
  CHECK (story_id <> neighbour_id)
);
CREATE INDEX story_neighbour_of ON record.story_neighbour (neighbour_id);

-- The archive. A withdrawn item stays as an id without text.
CREATE TABLE record.item (
  id uuid PRIMARY KEY,
  source_id uuid NOT NULL REFERENCES record.source,
  group_id uuid NOT NULL REFERENCES record.reading_group,
  story_id uuid REFERENCES record.story,
  title text NOT NULL,
  original_title text,
  summary text NOT NULL,
  category text NOT NULL,
  original_url text NOT NULL,
  published_at timestamptz,
  discovered_at timestamptz NOT NULL,
  -- published_at for backfilled items, else discovered_at; never changes.
  timeline_at timestamptz NOT NULL,
  score smallint CHECK (score BETWEEN 0 AND 100),
  selected boolean NOT NULL DEFAULT false,
  reason text,
  withdrawn_at timestamptz,
  -- The item as it is sent, with U+0001 where the base address stands.
  body text,
  -- Each fact the mirror's check of equality covers, hashed; null unless selected.
  digest bytea CHECK (length(digest) = 32),
  CHECK (timeline_at <= discovered_at),
  CHECK (published_at IS NULL OR published_at <= discovered_at),
  CHECK (selected = (digest IS NOT NULL)),
  CHECK (withdrawn_at IS NULL OR NOT selected),
  CHECK ((withdrawn_at IS NULL) = (body IS NOT NULL))
);
CREATE INDEX item_selected ON record.item (id) WHERE selected;
CREATE INDEX item_group ON record.item (group_id);
CREATE UNIQUE INDEX item_representative ON record.item (group_id) WHERE selected;
CREATE INDEX item_story ON record.item (story_id, discovered_at DESC, id DESC) WHERE story_id IS NOT NULL;

ALTER TABLE record.reading_group
  ADD FOREIGN KEY (representative_id) REFERENCES record.item DEFERRABLE INITIALLY DEFERRED;

-- The last seven days and a margin, in daily partitions by discovered_at, which never changes and which no sort key
-- exceeds: a key within the window stands in one of the last eight partitions, and nothing in an older partition can
-- sort before a newer partition's first instant.
CREATE TABLE record.window_item (
  discovered_at timestamptz NOT NULL,
  id uuid NOT NULL,
  timeline_key timestamptz NOT NULL,
  published_key timestamptz NOT NULL,
  category text NOT NULL,
  selected boolean NOT NULL,
  body text NOT NULL,
  -- What a search looks through, normalised; and its grams as integers for the index.
  search_text text NOT NULL,
  search_grams integer[] NOT NULL,
  PRIMARY KEY (discovered_at, id)
) PARTITION BY RANGE (discovered_at);
CREATE INDEX window_item_timeline ON record.window_item (timeline_key DESC, id DESC);
CREATE INDEX window_item_published ON record.window_item (published_key DESC, id DESC);
CREATE INDEX window_item_selected_timeline ON record.window_item (timeline_key DESC, id DESC) WHERE selected;
CREATE INDEX window_item_selected_published ON record.window_item (published_key DESC, id DESC) WHERE selected;
CREATE INDEX window_item_category_timeline ON record.window_item (category, timeline_key DESC, id DESC);
CREATE INDEX window_item_category_published ON record.window_item (category, published_key DESC, id DESC);
CREATE INDEX window_item_selected_category_timeline ON record.window_item (category, timeline_key DESC, id DESC) WHERE selected;
CREATE INDEX window_item_selected_category_published ON record.window_item (category, published_key DESC, id DESC) WHERE selected;
CREATE INDEX window_item_search ON record.window_item USING gin (search_grams) WITH (fastupdate = off);

-- Partitions are made days ahead and dropped as they age. Only the owner may change tables, so the application asks.
-- Attaching a finished table lets readers go on; dropping needs them to pause, so it gives up after a second and is
-- tried again at the next call.
CREATE FUNCTION record.roll_window(today date, ahead integer, keep integer) RETURNS TABLE (action text, partition text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  day date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('record.roll_window', 0));
  FOR day IN SELECT today - keep + n FROM generate_series(0, keep + ahead) AS n LOOP
    name := format('window_item_%s', to_char(day, 'YYYYMMDD'));
    IF to_regclass(format('record.%I', name)) IS NULL THEN
      EXECUTE format('CREATE TABLE record.%I (LIKE record.window_item INCLUDING ALL)', name);
      EXECUTE format(
        'ALTER TABLE record.window_item ATTACH PARTITION record.%I FOR VALUES FROM (%L) TO (%L)',
        name, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
      EXECUTE format('GRANT SELECT ON record.%I TO daybook_news_reader', name);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON record.%I TO daybook_application', name);
      action := 'made'; partition := name; RETURN NEXT;
    END IF;
  END LOOP;
  PERFORM set_config('lock_timeout', '1s', true);
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'record.window_item'::regclass AND c.relname < format('window_item_%s', to_char(today - keep, 'YYYYMMDD'))
    ORDER BY 1
  LOOP
    BEGIN
      EXECUTE format('DROP TABLE record.%I', name);
      action := 'dropped';
    EXCEPTION WHEN lock_not_available THEN
      action := 'busy';
    END;
    partition := name; RETURN NEXT;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION record.roll_window FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record.roll_window TO daybook_application;

-- One published ranking, never changed, with what it was worked out from.
CREATE TABLE record.ranking (
  id uuid PRIMARY KEY,
  ranked_at timestamptz NOT NULL UNIQUE
);
CREATE TABLE record.ranking_entry (
  ranking_id uuid NOT NULL REFERENCES record.ranking ON DELETE CASCADE,
  rank smallint NOT NULL CHECK (rank BETWEEN 1 AND 10),
  item_id uuid NOT NULL REFERENCES record.item,
  -- Compared exactly when a ranking is recomputed from its evidence.
  heat double precision NOT NULL,
  PRIMARY KEY (ranking_id, rank)
);
CREATE INDEX ranking_entry_item ON record.ranking_entry (item_id);
CREATE TABLE record.ranking_evidence (
  ranking_id uuid NOT NULL,
  rank smallint NOT NULL,
  item_id uuid NOT NULL REFERENCES record.item,
  owner text NOT NULL,
  source_name text NOT NULL,
  first_party boolean NOT NULL,
  weight double precision NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (ranking_id, rank, item_id),
  FOREIGN KEY (ranking_id, rank) REFERENCES record.ranking_entry ON DELETE CASCADE
);

-- One dated report; its revisions hold words and which items they cite, never the items' text.
CREATE TABLE record.edition (
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly', 'monthly')),
  period text NOT NULL,
  period_start date NOT NULL,
  period_end date NOT NULL,
  window_start timestamptz NOT NULL,
  window_end timestamptz NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (kind, period),
  CHECK (period_start <= period_end),
  CHECK (window_start < window_end)
);
CREATE INDEX edition_newest ON record.edition (kind, period_start DESC);
CREATE TABLE record.edition_revision (
  kind text NOT NULL,
  period text NOT NULL,
  revision integer NOT NULL CHECK (revision >= 1),
  generated_at timestamptz NOT NULL,
  headline text NOT NULL,
  overview text NOT NULL,
  -- Which items the words were written from: where one is withdrawn, the words go as well.
  headline_cites uuid[] NOT NULL,
  overview_cites uuid[] NOT NULL,
  -- { key, label }, in order.
  sections jsonb NOT NULL,
  PRIMARY KEY (kind, period, revision),
  FOREIGN KEY (kind, period) REFERENCES record.edition
);
ALTER TABLE record.edition
  ADD FOREIGN KEY (kind, period, revision) REFERENCES record.edition_revision DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE record.edition_citation (
  kind text NOT NULL,
  period text NOT NULL,
  revision integer NOT NULL,
  -- A section's key; null for a flash.
  section text,
  position integer NOT NULL,
  item_id uuid NOT NULL REFERENCES record.item,
  PRIMARY KEY (kind, period, revision, item_id),
  FOREIGN KEY (kind, period, revision) REFERENCES record.edition_revision
);
CREATE INDEX edition_citation_item ON record.edition_citation (item_id);

CREATE TABLE record.edition_correction (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  period text NOT NULL,
  revision integer NOT NULL,
  at timestamptz NOT NULL,
  note text NOT NULL,
  FOREIGN KEY (kind, period, revision) REFERENCES record.edition_revision
);
CREATE INDEX edition_correction_edition ON record.edition_correction (kind, period, at);

-- The order behind the mirror: each item once, at its latest position. The head is bumped in the last statement
-- before commit, and its row lock is held until then, so positions become visible in their own order.
CREATE TABLE record.ledger_head (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  -- A restored database starts a new one; cursors of another epoch ask for a new snapshot.
  epoch uuid NOT NULL DEFAULT gen_random_uuid(),
  position bigint NOT NULL DEFAULT 0,
  changed_at timestamptz NOT NULL DEFAULT now(),
  set_size bigint NOT NULL DEFAULT 0,
  -- Sum modulo 2^256 of the digests of all selected items.
  set_hash numeric(78) NOT NULL DEFAULT 0
);
INSERT INTO record.ledger_head DEFAULT VALUES;
CREATE TABLE record.ledger_entry (
  item_id uuid PRIMARY KEY REFERENCES record.item,
  position bigint NOT NULL UNIQUE,
  removed boolean NOT NULL,
  changed_at timestamptz NOT NULL
);

GRANT SELECT ON ALL TABLES IN SCHEMA record TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA record TO daybook_application;
