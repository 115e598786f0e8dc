-- Keys that no new organization may have: the organization with such a key owns the newsroom. The key of a deleted
-- organization is free again, and another account could otherwise take it, and the newsroom with it.
CREATE TABLE identity.reserved_organization_key (
  key text PRIMARY KEY
);
GRANT SELECT, INSERT ON identity.reserved_organization_key TO daybook_application;

ALTER TABLE access.group_user
  -- After this time the membership grants nothing; null: until it is removed.
  ADD COLUMN ends_at timestamptz;
GRANT UPDATE (ends_at) ON access.group_user TO daybook_application;
