-- Attempts to sign in that no success has released, of the last 24 hours, by the SHA-256 of the normalised e-mail address,
-- whether or not an account has it. One row holds all counters of an address, so that one statement decides over all of
-- them. It takes the place of identity.password_attempt, which processes of earlier releases still use.
CREATE TABLE identity.sign_in_attempt (
  email_hash bytea PRIMARY KEY,
  -- One element of each array per attempt.
  attempted_at timestamptz[] NOT NULL,
  -- What was guessed and from where, as in 'password unknown'. Each pool has a share of the day's guesses.
  pool text[] NOT NULL,
  -- SHA-256 of the device, block or session that has a counter of its own, empty for the counter that all others share.
  -- NULL after a success on that counter: the attempt counts for the day alone.
  source bytea[] NOT NULL,
  -- Of the latest attempt: NULL where it was admitted.
  refused_until timestamptz,
  expires_at timestamptz NOT NULL,
  CHECK (cardinality(attempted_at) = cardinality(pool) AND cardinality(pool) = cardinality(source))
);
CREATE INDEX sign_in_attempt_expires_at ON identity.sign_in_attempt (expires_at);

-- Devices and address blocks that an account was signed in to from. Each has a counter of failed attempts of its own.
CREATE TABLE identity.known_source (
  account_id uuid NOT NULL REFERENCES identity.account,
  -- SHA-256 of the secret in the device's cookie, or of the block.
  source bytea NOT NULL,
  signed_in_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, source)
);
CREATE INDEX known_source_source ON identity.known_source (source);
CREATE INDEX known_source_signed_in_at ON identity.known_source (signed_in_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.sign_in_attempt, identity.known_source TO daybook_application;
