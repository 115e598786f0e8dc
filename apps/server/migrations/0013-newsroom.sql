-- What the newsroom collects: sources, whom they burden, and the entries of their lists.
-- `newsroom/sources/README.md` and `newsroom/wire/README.md` say what is promised.
CREATE SCHEMA newsroom;
GRANT USAGE ON SCHEMA newsroom TO daybook_application;

-- Whom requests burden. One process at a time asks a domain: the one that holds its lease.
CREATE TABLE newsroom.domain (
  name text PRIMARY KEY,
  -- When the first of its sources is due, by the calendar; null when there is nothing to ask.
  due_at timestamptz,
  -- In real time, unlike everything else here: leases and the space between requests do not follow the calendar.
  lease_holder uuid,
  leased_until timestamptz,
  next_request_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((lease_holder IS NULL) = (leased_until IS NULL))
);
CREATE INDEX domain_due ON newsroom.domain (due_at) WHERE due_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.domain TO daybook_application;

CREATE TABLE newsroom.source (
  -- The same as in record.source.
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (name <> ''),
  owner text NOT NULL CHECK (owner <> ''),
  first_party boolean NOT NULL,
  -- 1 own channel of an organization, 2 established press, 3 specialised press, 4 aggregator or community.
  tier smallint NOT NULL CHECK (tier BETWEEN 1 AND 4),
  language text,
  category_hint text,
  -- Whether its items can be selected, count for heat only, or are stored and never shown.
  participation text NOT NULL CHECK (participation IN ('editorial', 'signal', 'isolated')),
  -- Whether the operator may read the pages of its articles.
  full_text boolean NOT NULL DEFAULT false,
  feed_url text NOT NULL,
  homepage_url text,
  -- How its list is written: { kind: feed | page list | json list, rules? }.
  list_form jsonb NOT NULL,
  domain text NOT NULL REFERENCES newsroom.domain,
  -- Between two requests; null: two seconds.
  spacing_ms integer CHECK (spacing_ms >= 0),
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,

  -- suspended and stopped by the rules for 404 and 410, paused and removed by a person.
  state text NOT NULL CHECK (state IN ('active', 'paused', 'suspended', 'stopped', 'removed')),
  state_reason text,

  due_at timestamptz NOT NULL,
  interval_ms bigint,
  -- Of the last answer whose entries were committed.
  etag text,
  last_modified text,
  content_hash bytea,

  polled_at timestamptz,
  succeeded_at timestamptz,
  -- How the last poll ended, in a few words.
  outcome text,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  gone_count integer NOT NULL DEFAULT 0,
  gone_since timestamptz,
  missing_since timestamptz,
  -- Where permanent redirects lead, how often that was seen, and since when.
  moved_to text,
  moved_count integer NOT NULL DEFAULT 0,
  moved_since timestamptz,
  -- Null until the first import is committed.
  imported_at timestamptz,
  newest_entry_at timestamptz,
  -- The usual time between two entries, by its own habit; null while unknown.
  usual_gap_ms bigint
);
CREATE UNIQUE INDEX source_feed_url ON newsroom.source (feed_url) WHERE state <> 'removed';
CREATE INDEX source_due ON newsroom.source (domain, due_at) WHERE state = 'active';
GRANT SELECT, INSERT, UPDATE ON newsroom.source TO daybook_application;

-- An element of a source's list, as it was first seen and last edited.
CREATE TABLE newsroom.entry (
  -- Also the id of its item.
  id uuid PRIMARY KEY,
  source_id uuid NOT NULL REFERENCES newsroom.source,
  -- SHA-256 of what all addresses of the article share: one article is one entry, whoever lists it. Null without an
  -- address, and for isolated sources, which take nothing away from others.
  address_key bytea,
  url text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  language text,
  -- Never changed after the first sight: publishers date anew what they edit.
  published_at timestamptz,
  published_raw text,
  discovered_at timestamptz NOT NULL,
  first_import boolean NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  -- Which revision its item shows; null while there is none.
  shown_revision integer,
  CHECK (published_at <= discovered_at)
);
CREATE UNIQUE INDEX entry_address ON newsroom.entry (address_key) WHERE address_key IS NOT NULL;
CREATE INDEX entry_source ON newsroom.entry (source_id, discovered_at DESC);
GRANT SELECT, INSERT, UPDATE ON newsroom.entry TO daybook_application;

-- Everything by which a source's list names an entry. Without an entry: left out of the first import.
CREATE TABLE newsroom.entry_key (
  source_id uuid NOT NULL REFERENCES newsroom.source,
  key bytea NOT NULL,
  entry_id uuid REFERENCES newsroom.entry,
  PRIMARY KEY (source_id, key)
);
GRANT SELECT, INSERT ON newsroom.entry_key TO daybook_application;

-- Every wording an entry has had: a title that returns to an earlier one is no revision.
CREATE TABLE newsroom.entry_wording (
  entry_id uuid NOT NULL REFERENCES newsroom.entry,
  fingerprint bytea NOT NULL,
  PRIMARY KEY (entry_id, fingerprint)
);
GRANT SELECT, INSERT ON newsroom.entry_wording TO daybook_application;

-- The same article in the list of another source.
CREATE TABLE newsroom.sighting (
  entry_id uuid NOT NULL REFERENCES newsroom.entry,
  source_id uuid NOT NULL REFERENCES newsroom.source,
  title text NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (entry_id, source_id)
);
GRANT SELECT, INSERT ON newsroom.sighting TO daybook_application;
