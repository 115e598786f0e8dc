-- Budgets of language models: limits that an organization sets, what was used, and each paid call.
CREATE TABLE agents.budget (
  organization_id uuid NOT NULL REFERENCES identity.organization,
  scope text NOT NULL CHECK (scope IN ('organization', 'agent', 'member')),
  -- The organization, agent or account; the nil UUID: every agent or member without a budget of its own.
  subject_id uuid NOT NULL,
  period text NOT NULL CHECK (period IN ('minute', 'day', 'month')),
  tokens_max bigint CHECK (tokens_max >= 0),
  -- In millionths of the currency of the prices.
  cost_max bigint CHECK (cost_max >= 0),
  PRIMARY KEY (organization_id, scope, subject_id, period),
  CHECK (tokens_max IS NOT NULL OR cost_max IS NOT NULL)
);

-- Reserved and used, per period of the UTC calendar.
CREATE TABLE agents.model_usage (
  organization_id uuid NOT NULL,
  scope text NOT NULL,
  subject_id uuid NOT NULL,
  period text NOT NULL,
  starts_at timestamptz NOT NULL,
  calls bigint NOT NULL,
  tokens bigint NOT NULL,
  cost bigint NOT NULL,
  PRIMARY KEY (organization_id, scope, subject_id, period, starts_at)
);
CREATE INDEX model_usage_age ON agents.model_usage (period, starts_at);

-- One row per paid call, written with its intent and settled with its receipt. A killed process leaves it reserved, and
-- the reservation stays used.
CREATE TABLE agents.model_call (
  key text PRIMARY KEY,
  organization_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  account_id uuid NOT NULL,
  provider text NOT NULL,
  model text NOT NULL,
  reserved_tokens bigint NOT NULL,
  reserved_cost bigint NOT NULL,
  reserved_at timestamptz NOT NULL,
  -- 'refused': it cost nothing; 'failed': it may have cost the reservation.
  state text NOT NULL CHECK (state IN ('reserved', 'received', 'failed', 'refused')),
  input_tokens bigint,
  output_tokens bigint,
  tokens bigint NOT NULL,
  cost bigint NOT NULL
);
CREATE INDEX model_call_age ON agents.model_call (reserved_at);
CREATE INDEX model_call_organization ON agents.model_call (organization_id, reserved_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON agents.budget, agents.model_usage, agents.model_call TO daybook_application;
