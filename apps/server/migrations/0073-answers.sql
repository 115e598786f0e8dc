-- Answers of agents. A row stores the question, and which sentences of which sources were quoted: never their text, so
-- that nothing withdrawn stays stored.
CREATE TABLE agents.answer (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  agent_id uuid NOT NULL REFERENCES agents.agent ON DELETE CASCADE,
  -- The member who asked, and the only one who reads it, with the members who may act for this one.
  account_id uuid NOT NULL REFERENCES identity.account,
  -- The answer before it in the same conversation.
  follows uuid REFERENCES agents.answer ON DELETE SET NULL,
  question text NOT NULL CHECK (length(question) BETWEEN 1 AND 2000),
  -- In order: [{"kind", "id", "hash"}]; the hash is of the quoted sentence.
  sentences jsonb NOT NULL,
  -- Pairs of places of sentences that contradict each other.
  contradictions jsonb NOT NULL,
  -- Parts of the question that no source answers.
  unanswered text[] NOT NULL,
  written_by text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX answer_listed ON agents.answer (agent_id, account_id, created_at, id);
CREATE INDEX answer_created ON agents.answer (created_at);
CREATE INDEX answer_follows ON agents.answer (follows) WHERE follows IS NOT NULL;

-- For how many days an organization stores answers, if it has chosen.
CREATE TABLE agents.answer_retention (
  organization_id uuid PRIMARY KEY REFERENCES identity.organization,
  keep_days integer NOT NULL CHECK (keep_days BETWEEN 1 AND 3650)
);

GRANT SELECT, INSERT, DELETE ON agents.answer TO daybook_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON agents.answer_retention TO daybook_application;
