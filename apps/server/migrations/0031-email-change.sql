-- A change of an account's e-mail address: asked for, confirmed through a link to the new address, and undone for some
-- days through a link to the address before. Addresses that are taken get a row as well, so that asking looks the same.
CREATE TABLE identity.email_change (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES identity.account,
  email text NOT NULL,
  email_normalised text NOT NULL,
  created_at timestamptz NOT NULL,
  -- Replaced by a later request, or cancelled by a new password.
  ended_at timestamptz,
  confirmed_at timestamptz,
  -- The address before.
  replaced_email text,
  replaced_email_normalised text,
  CHECK (confirmed_at IS NULL OR ended_at IS NULL),
  CHECK ((confirmed_at IS NULL) = (replaced_email IS NULL)),
  CHECK ((confirmed_at IS NULL) = (replaced_email_normalised IS NULL))
);
CREATE INDEX email_change_account ON identity.email_change (account_id);
CREATE INDEX email_change_created_at ON identity.email_change (created_at);

GRANT SELECT, INSERT, DELETE, UPDATE (ended_at, confirmed_at, replaced_email, replaced_email_normalised)
  ON identity.email_change TO daybook_application;

ALTER TABLE identity.mailed_token DROP CONSTRAINT mailed_token_purpose_check, ADD CONSTRAINT mailed_token_purpose_check
  CHECK (purpose IN ('confirm_sign_up', 'reset_password', 'join_organization', 'confirm_email', 'undo_email'));
ALTER TABLE identity.mail_request DROP CONSTRAINT mail_request_kind_check, ADD CONSTRAINT mail_request_kind_check
  CHECK (kind IN ('confirm_sign_up', 'account_exists', 'reset_password', 'password_changed', 'join_organization',
    'sign_in_changed', 'confirm_email', 'email_taken', 'undo_email'));
