-- One-time codes beside the password. The secret is sealed with the installation's secret key; recovery codes are hashes.
CREATE TABLE identity.second_factor (
  account_id uuid PRIMARY KEY REFERENCES identity.account,
  secret bytea NOT NULL,
  -- The 30 seconds that the last accepted code belonged to: that one and earlier ones are refused.
  last_step bigint NOT NULL,
  created_at timestamptz NOT NULL
);

-- A row goes when its code is used.
CREATE TABLE identity.recovery_code (
  account_id uuid NOT NULL REFERENCES identity.second_factor ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (account_id, hash)
);

GRANT SELECT, INSERT, DELETE, UPDATE (last_step) ON identity.second_factor TO daybook_application;
GRANT SELECT, INSERT, DELETE ON identity.recovery_code TO daybook_application;

-- Notice to an owner that what opens the account was changed.
ALTER TABLE identity.mail_request DROP CONSTRAINT mail_request_kind_check, ADD CONSTRAINT mail_request_kind_check
  CHECK (kind IN ('confirm_sign_up', 'account_exists', 'reset_password', 'password_changed', 'join_organization',
    'sign_in_changed'));
