-- Answers that a language model wrote. An entry of `sentences` then also has "text", the words of the model, and "also",
-- the hashes of further sentences of the source that it rests on; `text` is removed when the source is withdrawn.
-- Older processes quote the cited sentences of such an answer.
ALTER TABLE agents.answer
  -- The provider that was asked, and how that ended; null if none was.
  ADD COLUMN model_provider text,
  ADD COLUMN model_outcome text,
  -- Sentences of the model that were left out: [{"reason", "kinds"}], without their text.
  ADD COLUMN stopped jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN input_tokens integer NOT NULL DEFAULT 0,
  ADD COLUMN output_tokens integer NOT NULL DEFAULT 0,
  -- Of the request, so that its repetition finds the answer.
  ADD COLUMN request_key text;
CREATE UNIQUE INDEX answer_request ON agents.answer (agent_id, account_id, request_key) WHERE request_key IS NOT NULL;
-- Words of a model, for the removal of those whose source was withdrawn.
CREATE INDEX answer_written ON agents.answer (id) WHERE written_by = 'model';
GRANT UPDATE (sentences) ON agents.answer TO daybook_application;
