-- The time of the sources of an answer, and answers by member.
ALTER TABLE agents.answer
  -- The time of the sources when they were searched, which is simulated in development; null in older rows: created_at.
  ADD COLUMN as_of timestamptz;

-- The retention of an organization, members who have left, and the export of an account.
CREATE INDEX answer_of_member ON agents.answer (organization_id, account_id, created_at);
DROP INDEX agents.answer_created;
