-- The API key that created a share or an invitation, with which it ends; not a reference, for keys are deleted with their
-- account.
ALTER TABLE access.share ADD COLUMN via_key_id uuid;
ALTER TABLE identity.invitation ADD COLUMN via_key_id uuid;
