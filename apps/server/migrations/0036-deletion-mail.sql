-- Its owner is told when a deletion is cancelled by signing in, and when it is carried out.
ALTER TABLE identity.mail_request DROP CONSTRAINT mail_request_kind_check, ADD CONSTRAINT mail_request_kind_check
  CHECK (kind IN ('confirm_sign_up', 'account_exists', 'reset_password', 'password_changed', 'join_organization',
    'sign_in_changed', 'confirm_email', 'email_taken', 'undo_email', 'deletion_requested', 'deletion_cancelled',
    'account_deleted'));
