-- breaking
-- An invitation is open until it is accepted, cancelled or too old. Older processes would accept cancelled ones.
ALTER TABLE identity.invitation
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN cancelled_at timestamptz,
  -- Where a platform token sent it: the token's authority counts then. No reference: a deleted token voids what it sent.
  ADD COLUMN via_token_id uuid,
  ADD CHECK (accepted_at IS NULL OR cancelled_at IS NULL);
UPDATE identity.invitation SET expires_at = created_at + interval '7 days';
ALTER TABLE identity.invitation ALTER COLUMN expires_at SET NOT NULL;

DROP INDEX identity.invitation_organization;
CREATE INDEX invitation_open ON identity.invitation (organization_id, created_at, id)
  WHERE accepted_at IS NULL AND cancelled_at IS NULL;
CREATE INDEX invitation_expires_at ON identity.invitation (expires_at);
-- By which the removal of an invitation finds the sign-ups that refer to it.
CREATE INDEX sign_up_invitation ON identity.sign_up (invitation_id) WHERE invitation_id IS NOT NULL;
