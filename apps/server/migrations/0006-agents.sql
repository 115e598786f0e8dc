-- Agents made from templates. What an agent may read when it answers is part of its record from the beginning.
CREATE SCHEMA agents;
GRANT USAGE ON SCHEMA agents TO daybook_application;

-- What an organization offers beside the template that every one has.
CREATE TABLE agents.template (
  organization_id uuid NOT NULL REFERENCES identity.organization,
  name text NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  description text NOT NULL,
  system_prompt text NOT NULL,
  llm_provider text NOT NULL,
  categories text[] NOT NULL,
  reads_public_record boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name)
);

CREATE TABLE agents.agent (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  name text NOT NULL,
  -- The name in addresses. Two names that make the same one are the same name.
  slug text NOT NULL,
  display_name text NOT NULL,
  description text NOT NULL,
  template_name text NOT NULL,
  system_prompt text NOT NULL,
  llm_provider text NOT NULL,
  categories text[] NOT NULL,
  reads_public_record boolean NOT NULL,
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (organization_id, slug)
);
CREATE INDEX agent_listed ON agents.agent (organization_id, created_at, id);

GRANT SELECT, INSERT, DELETE ON agents.template TO daybook_application;
GRANT SELECT, INSERT ON agents.agent TO daybook_application;
GRANT UPDATE (display_name, description, system_prompt, llm_provider, categories, updated_at)
  ON agents.agent TO daybook_application;
