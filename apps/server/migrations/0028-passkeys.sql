-- Keys that a device holds for an account; only their public half is here.
CREATE TABLE identity.passkey (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) <= 1023),
  public_key bytea NOT NULL,
  -- Of devices that count their signatures; 0 for those that do not.
  sign_count bigint NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX passkey_account ON identity.passkey (account_id);

-- Challenges that were answered, until they would not be accepted any more: each is accepted once.
CREATE TABLE identity.answered_challenge (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX answered_challenge_expires_at ON identity.answered_challenge (expires_at);

GRANT SELECT, INSERT, DELETE, UPDATE (sign_count, last_used_at) ON identity.passkey TO daybook_application;
-- UPDATE of a column, because housekeeping locks the rows that it deletes.
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON identity.answered_challenge TO daybook_application;
