-- Account mail is sent from an outbox, like mailing.delivery. The state is null for mail that a process of an earlier
-- release requested: a workflow sends that mail or puts it into the outbox.
ALTER TABLE identity.mail_request
  ADD COLUMN state text,
  -- Not before.
  ADD COLUMN due_at timestamptz,
  ADD COLUMN attempts smallint NOT NULL DEFAULT 0,
  -- The epoch of the worker that sends it.
  ADD COLUMN claimed_by integer,
  ADD COLUMN settled_at timestamptz,
  -- Why it is undelivered.
  ADD COLUMN reason text,
  ADD CONSTRAINT mail_request_state CHECK (
    state IS NULL OR state IN ('waiting', 'sending', 'sent', 'undelivered', 'cancelled')
    AND (state = 'sending') = (claimed_by IS NOT NULL)
    AND (state = 'undelivered') = (reason IS NOT NULL)
    AND (state IN ('sent', 'undelivered', 'cancelled')) = (settled_at IS NOT NULL)
    AND due_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT mail_request_reason CHECK (
    reason IN ('in_doubt', 'address_refused', 'message_refused', 'attempts_exhausted', 'too_late')) NOT VALID;
