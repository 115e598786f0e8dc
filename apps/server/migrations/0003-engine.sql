-- One row per start of a worker process. Its number is the epoch: it never comes back, and once `ended_at` is set
-- nothing that the process still tries inside a fenced transaction is let through.
CREATE TABLE foundation.executor (
  epoch integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host text NOT NULL,
  process_id integer NOT NULL,
  application_version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  -- The epoch that took the work over; its own where the process left in good order.
  ended_by integer,
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE INDEX executor_alive ON foundation.executor (epoch) WHERE ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON foundation.executor TO daybook_application;

-- A step that commits its own writes leaves its output here in the same transaction, so that a crash between that
-- commit and the engine's checkpoint cannot make it write twice.
CREATE TABLE foundation.committed_step (
  workflow_id text NOT NULL,
  step text NOT NULL,
  epoch integer NOT NULL,
  output jsonb,
  committed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workflow_id, step)
);
CREATE INDEX committed_step_committed_at ON foundation.committed_step (committed_at);
GRANT SELECT, INSERT, DELETE ON foundation.committed_step TO daybook_application;

-- The intent to spend money, committed before the call. `outcome` is the receipt: without one the money counts as
-- spent. Only `unspent` allows another attempt.
CREATE TABLE foundation.paid_call (
  key text NOT NULL,
  attempt integer NOT NULL CHECK (attempt > 0),
  workflow_id text NOT NULL,
  epoch integer NOT NULL,
  intended_at timestamptz NOT NULL DEFAULT now(),
  outcome text CHECK (outcome IN ('received', 'failed', 'unspent')),
  receipt jsonb,
  settled_at timestamptz,
  PRIMARY KEY (key, attempt),
  CHECK ((outcome IS NULL) = (settled_at IS NULL))
);
CREATE INDEX paid_call_unsettled ON foundation.paid_call (intended_at) WHERE outcome IS NULL;
CREATE INDEX paid_call_intended_at ON foundation.paid_call (intended_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON foundation.paid_call TO daybook_application;
