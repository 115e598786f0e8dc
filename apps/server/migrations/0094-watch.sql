-- Saved searches of accounts, the items that match them, and what is sent because of them. A match stores ids only: the
-- text stays in the record, so nothing withdrawn stays here.
CREATE SCHEMA watch;
GRANT USAGE ON SCHEMA watch TO daybook_application;

CREATE TABLE watch.saved_search (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  -- As typed, and normalised for comparison.
  q text,
  terms text[] NOT NULL,
  without text,
  excluded_terms text[] NOT NULL,
  mode text NOT NULL CHECK (mode IN ('selected', 'all')),
  category text,
  source_id uuid,
  -- A primary language.
  language text,
  hidden_sources uuid[] NOT NULL,
  hidden_categories text[] NOT NULL,
  -- Of the story of an item; 1: any item.
  sources_min smallint NOT NULL CHECK (sources_min BETWEEN 1 AND 50),
  -- What every match has and few other items have: a gram of a term, or else the source or category.
  filed_under bigint NOT NULL,
  mail text NOT NULL CHECK (mail IN ('never', 'hourly', 'daily')),
  -- Of mail and feed.
  wording text NOT NULL CHECK (wording IN ('en', 'zh')),
  on_front_page boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Matches of an earlier query are deleted with it.
  CHECK (cardinality(terms) > 0 OR source_id IS NOT NULL OR category IS NOT NULL)
);
CREATE INDEX saved_search_account ON watch.saved_search (account_id, created_at, id);
CREATE INDEX saved_search_filed ON watch.saved_search (filed_under);
CREATE INDEX saved_search_mail ON watch.saved_search (mail, account_id) WHERE mail <> 'never';

-- How many of the sampled items of the window contain a gram; rare grams have no row.
CREATE TABLE watch.gram_frequency (
  gram integer PRIMARY KEY,
  items integer NOT NULL
);

-- One worker at a time matches new entries of the public log.
CREATE TABLE watch.progress (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  next_leaf bigint NOT NULL
);
INSERT INTO watch.progress (next_leaf) SELECT size FROM record.log_head;

CREATE TABLE watch.match (
  search_id uuid NOT NULL REFERENCES watch.saved_search ON DELETE CASCADE,
  item_id uuid NOT NULL,
  matched_at timestamptz NOT NULL,
  -- While the story of the item has fewer sources than the search asks for; readers see the match when it is null.
  awaits_sources smallint,
  story_id uuid,
  -- Found when the search was saved: it is shown, and not sent.
  is_earlier boolean NOT NULL,
  -- The mail that has it; null until then, and where none is to be sent.
  mail_id uuid,
  is_to_mail boolean NOT NULL,
  PRIMARY KEY (search_id, item_id)
);
CREATE INDEX match_shown ON watch.match (search_id, matched_at DESC, item_id DESC) WHERE awaits_sources IS NULL;
CREATE INDEX match_awaiting ON watch.match (story_id) WHERE awaits_sources IS NOT NULL;
CREATE INDEX match_to_mail ON watch.match (search_id) WHERE is_to_mail AND mail_id IS NULL AND awaits_sources IS NULL;
CREATE INDEX match_of_mail ON watch.match (mail_id) WHERE mail_id IS NOT NULL;
CREATE INDEX match_age ON watch.match (matched_at);

-- The private address of a search's feed. Its secret is stored as a hash.
CREATE TABLE watch.feed_address (
  search_id uuid PRIMARY KEY REFERENCES watch.saved_search ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES identity.account,
  secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX feed_address_account ON watch.feed_address (account_id);

-- The hours and days whose mail is due, and the account up to which it was inserted.
CREATE TABLE watch.mail_period (
  frequency text NOT NULL CHECK (frequency IN ('hourly', 'daily')),
  period text NOT NULL,
  found_at timestamptz NOT NULL,
  through_account uuid,
  completed_at timestamptz,
  PRIMARY KEY (frequency, period)
);
CREATE INDEX mail_period_open ON watch.mail_period (found_at) WHERE completed_at IS NULL;

-- One mail for an account and a period, with the matches of all its searches of that frequency.
CREATE TABLE watch.mail (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  frequency text NOT NULL CHECK (frequency IN ('hourly', 'daily')),
  period text NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'undelivered', 'cancelled')),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  claimed_by integer,
  settled_at timestamptz,
  reason text,
  -- Of the links to unsubscribe; null until a worker writes the mail.
  token_hash bytea UNIQUE CHECK (octet_length(token_hash) = 32),
  UNIQUE (account_id, frequency, period),
  CHECK ((state = 'sending') = (claimed_by IS NOT NULL)),
  CHECK ((state = 'undelivered') = (reason IS NOT NULL))
);
CREATE INDEX mail_due ON watch.mail (due_at, id) WHERE state = 'waiting';
CREATE INDEX mail_sending ON watch.mail (id) WHERE state = 'sending';
CREATE INDEX mail_undelivered ON watch.mail (settled_at) WHERE state = 'undelivered';
CREATE INDEX mail_age ON watch.mail (created_at);

CREATE TABLE watch.webhook (
  id uuid PRIMARY KEY,
  search_id uuid NOT NULL REFERENCES watch.saved_search ON DELETE CASCADE,
  account_id uuid NOT NULL REFERENCES identity.account,
  format text NOT NULL CHECK (format IN ('generic', 'slack', 'discord')),
  -- The address may contain a secret of the receiver; only its host is stored in clear text.
  sealed_address bytea NOT NULL,
  host text NOT NULL,
  -- The secret that signs deliveries, of generic webhooks.
  sealed_secret bytea,
  created_at timestamptz NOT NULL,
  last_delivered_at timestamptz,
  failing_since timestamptz,
  -- Set after days without a delivery; its owner creates another one.
  disabled_at timestamptz,
  CHECK ((format = 'generic') = (sealed_secret IS NOT NULL))
);
CREATE INDEX webhook_search ON watch.webhook (search_id);
CREATE INDEX webhook_account ON watch.webhook (account_id);

-- The id of a delivery stays the same in every attempt.
CREATE TABLE watch.delivery (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES watch.webhook ON DELETE CASCADE,
  item_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'failed', 'cancelled')),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  claimed_by integer,
  settled_at timestamptz,
  -- Of the last attempt.
  problem text,
  UNIQUE (webhook_id, item_id),
  CHECK ((state = 'sending') = (claimed_by IS NOT NULL))
);
CREATE INDEX delivery_due ON watch.delivery (due_at, id) WHERE state = 'waiting';
CREATE INDEX delivery_sending ON watch.delivery (id) WHERE state = 'sending';
CREATE INDEX delivery_age ON watch.delivery (created_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA watch TO daybook_application;
