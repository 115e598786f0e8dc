-- When a member last did something in the organization with a session; written at most once in five minutes.
ALTER TABLE identity.organization_membership ADD COLUMN last_seen_at timestamptz;
