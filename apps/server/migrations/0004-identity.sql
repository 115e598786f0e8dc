-- Accounts and what opens them. No secret lies here in clear: passwords as argon2id, tokens, codes and keys as SHA-256,
-- private signing keys encrypted with a key that the database never sees. `identity/README.md` explains each table.
CREATE SCHEMA identity;
GRANT USAGE ON SCHEMA identity TO daybook_application;

CREATE TABLE identity.organization (
  id uuid PRIMARY KEY,
  -- The name in addresses; `platform_key` on the platform.
  key text NOT NULL UNIQUE CHECK (key ~ '^[a-z0-9][a-z0-9_-]{2,31}$'),
  name text NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE identity.workspace (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX workspace_organization ON identity.workspace (organization_id);

CREATE TABLE identity.account (
  id uuid PRIMARY KEY,
  username text NOT NULL UNIQUE CHECK (username ~ '^[a-z0-9][a-z0-9_-]{2,31}$'),
  -- As its owner writes it; the normalised form tells accounts apart.
  email text NOT NULL,
  email_normalised text NOT NULL UNIQUE,
  name text NOT NULL,
  -- Null: the generated avatar.
  image_url text,
  -- Null where the account signs in elsewhere only.
  password_hash text,
  -- The organization it works in now.
  organization_id uuid NOT NULL REFERENCES identity.organization,
  superuser boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);

CREATE TABLE identity.organization_membership (
  organization_id uuid NOT NULL REFERENCES identity.organization,
  account_id uuid NOT NULL REFERENCES identity.account,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, account_id)
);
CREATE INDEX organization_membership_account ON identity.organization_membership (account_id);

CREATE TABLE identity.workspace_membership (
  workspace_id uuid NOT NULL REFERENCES identity.workspace,
  account_id uuid NOT NULL REFERENCES identity.account,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, account_id)
);
CREATE INDEX workspace_membership_account ON identity.workspace_membership (account_id);

-- Logins at OpenID providers.
CREATE TABLE identity.external_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX external_identity_account ON identity.external_identity (account_id);

-- Whom an organization has asked to join.
CREATE TABLE identity.invitation (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  email text NOT NULL,
  email_normalised text NOT NULL,
  role text NOT NULL CHECK (role IN ('admin', 'member')),
  invited_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  accepted_by uuid REFERENCES identity.account,
  accepted_at timestamptz,
  CHECK ((accepted_by IS NULL) = (accepted_at IS NULL))
);
CREATE INDEX invitation_organization ON identity.invitation (organization_id);

-- What was asked for at sign-up; it becomes an account when its e-mail address has been proven.
CREATE TABLE identity.sign_up (
  id uuid PRIMARY KEY,
  username text NOT NULL,
  email text NOT NULL,
  email_normalised text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  invitation_id uuid REFERENCES identity.invitation,
  created_at timestamptz NOT NULL
);
CREATE INDEX sign_up_created_at ON identity.sign_up (created_at);

-- Links sent by mail. One update that finds `used_at` null decides who wins.
CREATE TABLE identity.mailed_token (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('confirm_sign_up', 'reset_password', 'join_organization')),
  -- The sign-up, the account or the invitation.
  subject_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX mailed_token_subject ON identity.mailed_token (subject_id);
CREATE INDEX mailed_token_expires_at ON identity.mailed_token (expires_at);

-- Mail that a use case asked for in its own transaction; the engine sends it. Addresses without an account get a row
-- as well, so that asking looks the same from outside.
CREATE TABLE identity.mail_request (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('confirm_sign_up', 'account_exists', 'reset_password', 'password_changed', 'join_organization')),
  recipient text NOT NULL,
  subject_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX mail_request_created_at ON identity.mail_request (created_at);

-- Tries at the password door, by the SHA-256 of the normalised address, whether or not an account has it.
CREATE TABLE identity.password_attempt (
  email_hash bytea PRIMARY KEY,
  attempted_at timestamptz[] NOT NULL,
  locked_until timestamptz,
  last_admitted boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_attempt_expires_at ON identity.password_attempt (expires_at);

-- One sign-in and everything that grew from it: a family of refresh tokens, or a browser's cookie.
CREATE TABLE identity.session (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  kind text NOT NULL CHECK (kind IN ('token', 'browser')),
  secret_hash bytea UNIQUE,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_because text,
  CHECK ((revoked_at IS NULL) = (revoked_because IS NULL)),
  CHECK ((kind = 'browser') = (secret_hash IS NOT NULL))
);
CREATE INDEX session_account ON identity.session (account_id) WHERE revoked_at IS NULL;
CREATE INDEX session_expires_at ON identity.session (expires_at);

CREATE TABLE identity.refresh_token (
  hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES identity.session ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  used_from_address text,
  used_from_user_agent text
);
CREATE INDEX refresh_token_session ON identity.refresh_token (session_id);

CREATE TABLE identity.exchange_code (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  -- base64url of the SHA-256 of the verifier (PKCE); null where the client did not ask for it.
  code_challenge text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- What the first use opened.
  session_id uuid REFERENCES identity.session ON DELETE CASCADE
);
CREATE INDEX exchange_code_expires_at ON identity.exchange_code (expires_at);
CREATE INDEX exchange_code_session ON identity.exchange_code (session_id);

CREATE TABLE identity.signing_key (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  -- PKCS #8, sealed with the installation's secret key.
  private_key bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Published at once, used from here on, so that whoever keeps a copy of the key set has it by then.
  signs_from timestamptz NOT NULL,
  -- Null until a successor is made.
  verifies_until timestamptz
);

CREATE TABLE identity.api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  name text NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  -- Null: all organizations of the account.
  organization_ids uuid[] CHECK (cardinality(organization_ids) > 0),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_key_account ON identity.api_key (account_id) WHERE revoked_at IS NULL;

-- Every security event, for the owner of the account to read. Written once: nobody who serves requests may change it.
CREATE TABLE identity.audit_event (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  -- No references: the log outlives what it speaks of, and costs the same whether or not there is an account.
  account_id uuid,
  organization_id uuid,
  address text,
  user_agent text,
  detail jsonb NOT NULL
);
CREATE INDEX audit_event_account ON identity.audit_event (account_id, id DESC);

GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA identity TO daybook_application;
GRANT DELETE ON identity.sign_up, identity.mailed_token, identity.mail_request, identity.password_attempt,
  identity.session, identity.refresh_token, identity.exchange_code, identity.signing_key,
  identity.organization_membership, identity.workspace_membership, identity.external_identity, identity.invitation
  TO daybook_application;
REVOKE UPDATE ON identity.audit_event FROM daybook_application;
