-- Questions that a member schedules for an agent, and their runs.
CREATE TABLE agents.schedule (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  -- Without a reference: a schedule shows that its agent was deleted.
  agent_id uuid NOT NULL,
  agent_name text NOT NULL,
  account_id uuid NOT NULL REFERENCES identity.account,
  name text NOT NULL,
  question text NOT NULL,
  repeats text NOT NULL CHECK (repeats IN ('daily', 'weekdays', 'weekly')),
  -- 1 is Monday.
  weekday smallint CHECK (weekday BETWEEN 1 AND 7),
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  time_zone text NOT NULL,
  -- The project for the files; null: answers are mailed to the member.
  project_id uuid,
  created_at timestamptz NOT NULL,
  -- Null after the schedule has stopped.
  next_run_at timestamptz,
  stopped_at timestamptz,
  stop_reason text,
  CHECK ((repeats = 'weekly') = (weekday IS NOT NULL)),
  CHECK ((next_run_at IS NULL) = (stopped_at IS NOT NULL) AND (stopped_at IS NULL) = (stop_reason IS NULL))
);
CREATE INDEX schedule_due ON agents.schedule (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX schedule_of_member ON agents.schedule (organization_id, account_id, created_at);

-- A due run exists once.
CREATE TABLE agents.schedule_run (
  id uuid PRIMARY KEY,
  schedule_id uuid NOT NULL REFERENCES agents.schedule ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'delivered', 'failed', 'stopped')),
  -- When it is tried next.
  retry_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  -- The epoch of the worker that runs it.
  claimed_by integer,
  problem text,
  settled_at timestamptz,
  answer_id uuid,
  -- The upload of the file, written before its first byte is sent.
  upload_id uuid,
  file_id uuid,
  UNIQUE (schedule_id, due_at)
);
CREATE INDEX schedule_run_open ON agents.schedule_run (retry_at) WHERE state IN ('waiting', 'running');

-- The mail of a run, in the form of every outbox.
CREATE TABLE agents.schedule_mail (
  id uuid PRIMARY KEY REFERENCES agents.schedule_run ON DELETE CASCADE,
  answer_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'sending', 'sent', 'cancelled', 'undelivered')),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  claimed_by integer,
  settled_at timestamptz,
  reason text
);
CREATE INDEX schedule_mail_waiting ON agents.schedule_mail (due_at) WHERE state = 'waiting';
CREATE INDEX schedule_mail_sending ON agents.schedule_mail (claimed_by) WHERE state = 'sending';
CREATE INDEX schedule_mail_undelivered ON agents.schedule_mail (settled_at) WHERE state = 'undelivered';

GRANT SELECT, INSERT, UPDATE, DELETE ON agents.schedule, agents.schedule_run, agents.schedule_mail TO daybook_application;
