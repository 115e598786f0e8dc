-- WebSub: hubs tell that a feed has changed. `newsroom/wire/hubs/README.md` says what is promised.
ALTER TABLE newsroom.source
  -- The hub that the feed names, and the name that the feed has there; null: it names none.
  ADD COLUMN hub_url text CHECK (length(hub_url) <= 2000),
  ADD COLUMN hub_topic text CHECK (length(hub_topic) <= 2000),
  ADD CHECK ((hub_url IS NULL) = (hub_topic IS NULL));

ALTER TABLE newsroom.domain
  -- A publisher's Retry-After, by the calendar: until then no push makes any of its sources due.
  ADD COLUMN postponed_until timestamptz;

CREATE TABLE newsroom.hub_subscription (
  id uuid PRIMARY KEY,
  source_id uuid NOT NULL REFERENCES newsroom.source,
  hub_url text NOT NULL,
  topic text NOT NULL,
  -- What the hub is asked for until it has confirmed it.
  wanted text NOT NULL CHECK (wanted IN ('subscribe', 'unsubscribe')),
  created_at timestamptz NOT NULL,
  -- What pushes are signed with, sealed, and the SHA-256 of the token in the callback address; null before the first request.
  secret_sealed bytea CHECK (octet_length(secret_sealed) <= 500),
  callback_hash bytea UNIQUE CHECK (octet_length(callback_hash) = 32),
  -- Requests without a confirmation so far, and when the hub is spoken to next.
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  -- A confirmation of the last request is accepted until then.
  verify_until timestamptz,
  -- Until when the hub sends pushes; null: it does not.
  lease_until timestamptz,
  -- The last push with a valid signature; when the last poll began; the last one that found an entry which no push had
  -- announced.
  pushed_at timestamptz,
  polled_at timestamptz,
  unannounced_at timestamptz,
  -- Why the last request failed, in a few words.
  problem text CHECK (length(problem) <= 300),
  CHECK ((secret_sealed IS NULL) = (callback_hash IS NULL))
);
CREATE UNIQUE INDEX hub_subscription_wanted ON newsroom.hub_subscription (source_id) WHERE wanted = 'subscribe';
CREATE INDEX hub_subscription_due ON newsroom.hub_subscription (next_attempt_at);
-- Whose feed, which hub and which topic a subscription is for never changes.
GRANT SELECT, INSERT, DELETE, UPDATE (wanted, secret_sealed, callback_hash, attempts, next_attempt_at, verify_until,
  lease_until, pushed_at, polled_at, unannounced_at, problem) ON newsroom.hub_subscription TO daybook_application;
