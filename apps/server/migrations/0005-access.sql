-- What may be done, by whom. `access/README.md` explains each table.
CREATE SCHEMA access;
GRANT USAGE ON SCHEMA access TO daybook_application;

ALTER TABLE identity.organization_membership
  DROP CONSTRAINT organization_membership_role_check,
  ADD CONSTRAINT organization_membership_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer'));
ALTER TABLE identity.workspace_membership
  DROP CONSTRAINT workspace_membership_role_check,
  ADD CONSTRAINT workspace_membership_role_check CHECK (role IN ('owner', 'admin', 'member', 'viewer'));
ALTER TABLE identity.invitation
  DROP CONSTRAINT invitation_role_check,
  ADD CONSTRAINT invitation_role_check CHECK (role IN ('admin', 'member', 'viewer'));

-- The members of an organization as they are listed.
CREATE INDEX organization_membership_listed ON identity.organization_membership (organization_id, created_at, account_id);

-- One row per organization that has ever had a policy, group or token.
CREATE TABLE access.organization_permissions (
  organization_id uuid PRIMARY KEY REFERENCES identity.organization,
  -- Rises with every change; what was compiled under an older one is compiled again.
  version bigint NOT NULL,
  -- Numbers are never given twice: one that is written down somewhere must not come to mean something else.
  policies_numbered integer NOT NULL DEFAULT 0,
  groups_numbered integer NOT NULL DEFAULT 0
);

CREATE TABLE access.policy (
  organization_id uuid NOT NULL REFERENCES identity.organization,
  id integer NOT NULL,
  name text NOT NULL,
  actions text[] NOT NULL CHECK (cardinality(actions) > 0),
  resources text[] NOT NULL CHECK (cardinality(resources) > 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);
CREATE INDEX policy_listed ON access.policy (organization_id, created_at, id);

CREATE TABLE access.user_group (
  organization_id uuid NOT NULL REFERENCES identity.organization,
  id integer NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);
CREATE INDEX user_group_listed ON access.user_group (organization_id, created_at, id);

CREATE TABLE access.group_policy (
  organization_id uuid NOT NULL,
  group_id integer NOT NULL,
  policy_id integer NOT NULL,
  PRIMARY KEY (organization_id, group_id, policy_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES access.user_group ON DELETE CASCADE,
  FOREIGN KEY (organization_id, policy_id) REFERENCES access.policy
);
CREATE INDEX group_policy_policy ON access.group_policy (organization_id, policy_id);

CREATE TABLE access.group_user (
  organization_id uuid NOT NULL,
  group_id integer NOT NULL,
  account_id uuid NOT NULL,
  PRIMARY KEY (organization_id, group_id, account_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES access.user_group,
  -- Whoever leaves the organization leaves its groups, and does not find them again on return.
  FOREIGN KEY (organization_id, account_id) REFERENCES identity.organization_membership ON DELETE CASCADE
);
CREATE INDEX group_user_account ON access.group_user (organization_id, account_id);

CREATE TABLE access.platform_token (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  name text NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  -- Whose authority it has in owner mode.
  created_by uuid NOT NULL REFERENCES identity.account,
  mode text NOT NULL CHECK (mode IN ('owner', 'token_policies')),
  created_at timestamptz NOT NULL,
  -- As its creator wrote it: seconds, or empty.
  expires text NOT NULL,
  expires_at timestamptz,
  UNIQUE (organization_id, name),
  UNIQUE (organization_id, id)
);

-- They outlast a change to owner mode, in which they mean nothing.
CREATE TABLE access.token_policy (
  organization_id uuid NOT NULL,
  token_id uuid NOT NULL,
  policy_id integer NOT NULL,
  PRIMARY KEY (organization_id, token_id, policy_id),
  FOREIGN KEY (organization_id, token_id) REFERENCES access.platform_token (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, policy_id) REFERENCES access.policy
);
CREATE INDEX token_policy_policy ON access.token_policy (organization_id, policy_id);

CREATE TABLE access.token_group (
  organization_id uuid NOT NULL,
  token_id uuid NOT NULL,
  group_id integer NOT NULL,
  PRIMARY KEY (organization_id, token_id, group_id),
  FOREIGN KEY (organization_id, token_id) REFERENCES access.platform_token (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, group_id) REFERENCES access.user_group
);
CREATE INDEX token_group_group ON access.token_group (organization_id, group_id);

GRANT SELECT, INSERT, DELETE ON access.policy, access.user_group, access.group_policy, access.group_user,
  access.platform_token, access.token_policy, access.token_group TO daybook_application;
GRANT SELECT, INSERT, UPDATE ON access.organization_permissions TO daybook_application;
GRANT UPDATE (name, actions, resources, updated_at) ON access.policy TO daybook_application;
GRANT UPDATE (name, updated_at) ON access.user_group TO daybook_application;
GRANT UPDATE (mode) ON access.platform_token TO daybook_application;
