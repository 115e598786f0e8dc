-- Organizations that are to be deleted. While the row exists nothing of the organization acts; an owner deletes the row
-- to restore the organization, a worker deletes it together with the organization once it is due.
CREATE TABLE identity.organization_deletion (
  organization_id uuid PRIMARY KEY REFERENCES identity.organization,
  requested_by uuid NOT NULL REFERENCES identity.account,
  requested_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);
CREATE INDEX organization_deletion_due_at ON identity.organization_deletion (due_at);
GRANT SELECT, INSERT, DELETE ON identity.organization_deletion TO daybook_application;
