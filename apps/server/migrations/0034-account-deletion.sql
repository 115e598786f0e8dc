-- Accounts that are to be deleted. Signing in before the time is up takes the row away.
CREATE TABLE identity.account_deletion (
  account_id uuid PRIMARY KEY REFERENCES identity.account,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);
CREATE INDEX account_deletion_due_at ON identity.account_deletion (due_at);
GRANT SELECT, INSERT, DELETE ON identity.account_deletion TO daybook_application;

GRANT DELETE ON identity.api_key TO daybook_application;

ALTER TABLE identity.mail_request DROP CONSTRAINT mail_request_kind_check, ADD CONSTRAINT mail_request_kind_check
  CHECK (kind IN ('confirm_sign_up', 'account_exists', 'reset_password', 'password_changed', 'join_organization',
    'sign_in_changed', 'confirm_email', 'email_taken', 'undo_email', 'deletion_requested'));
