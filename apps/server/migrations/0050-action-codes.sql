-- Codes sent by e-mail that confirm one guarded action in one session, for accounts without a password.
CREATE TABLE identity.action_code (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES identity.session ON DELETE CASCADE,
  action text NOT NULL,
  -- Null until the e-mail is written: the code is made then.
  hash bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (session_id, action)
);
CREATE INDEX action_code_account ON identity.action_code (account_id);
CREATE INDEX action_code_expires_at ON identity.action_code (expires_at);

GRANT SELECT, INSERT, DELETE, UPDATE (hash, expires_at) ON identity.action_code TO daybook_application;

-- Which kinds of e-mail exist is declared in the code that writes them.
ALTER TABLE identity.mail_request DROP CONSTRAINT mail_request_kind_check, ADD CONSTRAINT mail_request_kind_check
  CHECK (kind ~ '^[a-z_]{1,40}$');
