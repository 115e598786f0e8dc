-- A role that gives nothing but the organization's name; the rest comes from policies of groups.
ALTER TABLE identity.organization_membership
  DROP CONSTRAINT organization_membership_role_check,
  ADD CONSTRAINT organization_membership_role_check
    CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'guest'));
ALTER TABLE identity.workspace_membership
  DROP CONSTRAINT workspace_membership_role_check,
  ADD CONSTRAINT workspace_membership_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer', 'guest'));
ALTER TABLE identity.invitation
  DROP CONSTRAINT invitation_role_check,
  ADD CONSTRAINT invitation_role_check CHECK (role IN ('admin', 'member', 'viewer', 'guest'));

-- Addresses that let anyone read a file or folder. A link that is revoked is deleted.
CREATE TABLE storage.link (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  secret_hash bytea NOT NULL UNIQUE CHECK (octet_length(secret_hash) = 32),
  -- Whose authority it has.
  created_by uuid NOT NULL REFERENCES identity.account,
  -- The API key that made it, with which it ends; not a reference, for keys are deleted with their account.
  via_key_id uuid,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
  opened_count integer NOT NULL DEFAULT 0 CHECK (opened_count >= 0),
  last_opened_at timestamptz,
  FOREIGN KEY (project_id, entry_id) REFERENCES storage.entry (project_id, id) ON DELETE CASCADE
);
CREATE INDEX link_of_entry ON storage.link (project_id, entry_id, created_at, id);
CREATE INDEX link_of_project ON storage.link (project_id, created_at, id);
CREATE INDEX link_expires_at ON storage.link (expires_at);
CREATE INDEX link_created_by ON storage.link (created_by, id);

GRANT SELECT, INSERT, DELETE ON storage.link TO daybook_application;
GRANT UPDATE (opened_count, last_opened_at) ON storage.link TO daybook_application;

-- One thing, given to one member, group or person invited by mail: a binding like that of a policy, with its text beside it.
CREATE TABLE access.share (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  -- The path of what is shared.
  resource text NOT NULL,
  level text NOT NULL CHECK (level IN ('read', 'write', 'manage')),
  actions text[] NOT NULL CHECK (cardinality(actions) > 0),
  resources text[] NOT NULL CHECK (cardinality(resources) > 0),
  account_id uuid,
  group_id integer,
  -- Waits for whoever accepts it, and becomes theirs then.
  invitation_id uuid REFERENCES identity.invitation ON DELETE CASCADE,
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  CHECK (num_nonnulls(account_id, group_id, invitation_id) = 1),
  UNIQUE NULLS NOT DISTINCT (organization_id, resource, account_id, group_id, invitation_id),
  -- Whoever leaves the organization does not find them again on return.
  FOREIGN KEY (organization_id, account_id) REFERENCES identity.organization_membership ON DELETE CASCADE,
  FOREIGN KEY (organization_id, group_id) REFERENCES access.user_group ON DELETE CASCADE
);
CREATE INDEX share_listed ON access.share (organization_id, resource, created_at, id);
CREATE INDEX share_account ON access.share (organization_id, account_id) WHERE account_id IS NOT NULL;
CREATE INDEX share_group ON access.share (organization_id, group_id) WHERE group_id IS NOT NULL;
CREATE INDEX share_invitation ON access.share (invitation_id) WHERE invitation_id IS NOT NULL;
CREATE INDEX share_created_by ON access.share (created_by);

GRANT SELECT, INSERT, DELETE ON access.share TO daybook_application;
GRANT UPDATE (account_id, invitation_id) ON access.share TO daybook_application;
