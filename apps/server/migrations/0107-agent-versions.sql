-- The settings of an agent after each change, and before the first one.
CREATE TABLE agents.agent_version (
  agent_id uuid NOT NULL REFERENCES agents.agent ON DELETE CASCADE,
  number integer NOT NULL,
  settings jsonb NOT NULL,
  made_by uuid NOT NULL REFERENCES identity.account,
  made_at timestamptz NOT NULL,
  PRIMARY KEY (agent_id, number)
);

GRANT SELECT, INSERT, DELETE ON agents.agent_version TO daybook_application;
