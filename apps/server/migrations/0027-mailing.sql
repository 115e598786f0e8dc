-- Who gets which reports by mail, and what became of each mail. Nothing here is for the news reader.
CREATE SCHEMA mailing;
GRANT USAGE ON SCHEMA mailing TO daybook_application;

CREATE TABLE mailing.subscription (
  id uuid PRIMARY KEY,
  -- As its owner writes it, and the form that tells addresses apart. Both go when the subscription ends.
  email text,
  normalised_email text,
  -- Of the mail's own words; what reports say is in the language they were written in.
  language text NOT NULL CHECK (language IN ('en', 'zh')),
  daily boolean NOT NULL,
  weekly boolean NOT NULL,
  -- Last asked for; without a confirmation within a week the row is removed.
  requested_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  ended_at timestamptz,
  ended_because text CHECK (ended_because IN ('unsubscribed', 'address_refused')),
  CHECK (daily OR weekly),
  CHECK ((ended_at IS NULL) = (ended_because IS NULL)),
  CHECK ((ended_at IS NULL) = (email IS NOT NULL)),
  CHECK ((ended_at IS NULL) = (normalised_email IS NOT NULL))
);
CREATE UNIQUE INDEX subscription_email ON mailing.subscription (normalised_email) WHERE ended_at IS NULL;
CREATE INDEX subscription_active ON mailing.subscription (id) WHERE confirmed_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX subscription_unconfirmed ON mailing.subscription (requested_at) WHERE confirmed_at IS NULL;
CREATE INDEX subscription_ended ON mailing.subscription (ended_at) WHERE ended_at IS NOT NULL;

-- An edition that is mailed. Its deliveries are made in batches, in the order of subscriptions.
CREATE TABLE mailing.mailed_edition (
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly')),
  period text NOT NULL,
  -- Whoever confirmed until then gets it.
  found_at timestamptz NOT NULL,
  -- Deliveries exist up to this subscription.
  through_subscription uuid,
  completed_at timestamptz,
  PRIMARY KEY (kind, period),
  FOREIGN KEY (kind, period) REFERENCES record.edition
);

-- One mail to one subscription. `sending` is committed before the mail server is spoken to, so no mail is sent twice.
CREATE TABLE mailing.delivery (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL REFERENCES mailing.subscription ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('confirm', 'daily', 'weekly')),
  period text CHECK ((purpose = 'confirm') = (period IS NULL)),
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'undelivered', 'cancelled')),
  created_at timestamptz NOT NULL,
  -- Not before.
  due_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  -- The epoch of the worker that sends it.
  claimed_by integer,
  -- SHA-256 of the secret in the links of the mail; made as the mail is written.
  token_hash bytea UNIQUE CHECK (length(token_hash) = 32),
  settled_at timestamptz,
  -- Why it is undelivered.
  reason text CHECK (reason IN ('in_doubt', 'address_refused', 'message_refused', 'attempts_exhausted', 'too_late')),
  CHECK ((state = 'sending') = (claimed_by IS NOT NULL)),
  CHECK ((state = 'undelivered') = (reason IS NOT NULL)),
  CHECK ((state IN ('sent', 'undelivered', 'cancelled')) = (settled_at IS NOT NULL))
);
CREATE UNIQUE INDEX delivery_edition ON mailing.delivery (subscription_id, purpose, period) WHERE period IS NOT NULL;
CREATE INDEX delivery_subscription ON mailing.delivery (subscription_id);
-- Somebody waits for a confirmation; editions come after.
CREATE INDEX delivery_due ON mailing.delivery ((purpose <> 'confirm'), due_at, id) WHERE state = 'waiting';
CREATE INDEX delivery_sending ON mailing.delivery (claimed_by) WHERE state = 'sending';
CREATE INDEX delivery_undelivered ON mailing.delivery (settled_at DESC, id) WHERE state = 'undelivered';
CREATE INDEX delivery_created ON mailing.delivery (created_at);

GRANT SELECT, INSERT, DELETE ON mailing.subscription, mailing.delivery TO daybook_application;
GRANT UPDATE (email, normalised_email, language, daily, weekly, requested_at, confirmed_at, ended_at, ended_because)
  ON mailing.subscription TO daybook_application;
GRANT UPDATE (state, due_at, attempts, claimed_by, token_hash, settled_at, reason) ON mailing.delivery
  TO daybook_application;
GRANT SELECT, INSERT ON mailing.mailed_edition TO daybook_application;
GRANT UPDATE (through_subscription, completed_at) ON mailing.mailed_edition TO daybook_application;
