-- The parts of a story that an editor wrote: 'title', and the digest in a language ('digest-en', 'digest-zh'). Rules
-- leave them as they are.
ALTER TABLE record.story ADD COLUMN by_editor text[] NOT NULL DEFAULT '{}';
UPDATE record.story SET by_editor = ARRAY['title'] WHERE id IN (
  SELECT retitled.subject::uuid FROM newsroom.journal_entry AS retitled
  WHERE retitled.subject_kind = 'story' AND retitled.action = 'retitle' AND retitled.undoes IS NULL
    AND NOT EXISTS (SELECT FROM newsroom.journal_entry AS undo WHERE undo.undoes = retitled.id));

-- The content of the form that was sent with the request, as words that are erased like others: another form with the
-- same request is refused.
ALTER TABLE newsroom.journal_entry ADD COLUMN request_hash bytea;
ALTER TABLE newsroom.journal_entry ADD CONSTRAINT journal_entry_request_hash
  FOREIGN KEY (request_hash) REFERENCES newsroom.journal_words NOT VALID;
