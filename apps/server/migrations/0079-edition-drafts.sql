-- What editors did to the draft of an edition, in this order. After the edition is published, no operation is added: its
-- operations are a part of the material that the edition was compiled from.
CREATE TABLE newsroom.edition_operation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly', 'monthly')),
  period text NOT NULL,
  -- Ids and values of fixed lists; no words. { op: drop | add | pin | move | rewrite | note | undo, … }.
  operation jsonb NOT NULL,
  -- Titles of items and typed text; null if none, or if an item that they are about was withdrawn.
  words jsonb,
  -- The items that the words are about.
  item_ids uuid[] NOT NULL,
  -- The operation that this one undoes; each is undone at most once.
  undoes bigint UNIQUE REFERENCES newsroom.edition_operation,
  CHECK ((operation ->> 'op' = 'undo') = (undoes IS NOT NULL))
);
CREATE INDEX edition_operation_edition ON newsroom.edition_operation (kind, period, id);
CREATE INDEX edition_operation_items ON newsroom.edition_operation USING gin (item_ids) WHERE words IS NOT NULL;
GRANT SELECT, INSERT ON newsroom.edition_operation TO daybook_application;

CREATE TRIGGER edition_operation_not_deleted BEFORE DELETE OR TRUNCATE ON newsroom.edition_operation
  FOR EACH STATEMENT EXECUTE FUNCTION newsroom.refuse_journal_change();
-- Words are erased; nothing else changes.
CREATE TRIGGER edition_operation_erased_only BEFORE UPDATE ON newsroom.edition_operation FOR EACH ROW
  WHEN (NEW.words IS NOT NULL
    OR (NEW.kind, NEW.period, NEW.operation, NEW.item_ids, NEW.undoes)
      IS DISTINCT FROM (OLD.kind, OLD.period, OLD.operation, OLD.item_ids, OLD.undoes))
  EXECUTE FUNCTION newsroom.refuse_journal_change();

-- The private addresses of a draft. The token itself is not stored.
CREATE TABLE newsroom.edition_preview (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  kind text NOT NULL CHECK (kind IN ('daily', 'weekly', 'monthly')),
  period text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX edition_preview_edition ON newsroom.edition_preview (kind, period);
GRANT SELECT, INSERT, DELETE ON newsroom.edition_preview TO daybook_application;

-- A note of the editors: [{ language, text, cites }]; null if none.
ALTER TABLE record.edition_revision ADD COLUMN notes jsonb;

-- A withdrawal erases the words about the item, whichever process withdraws it. The application cannot update the
-- operations itself.
CREATE FUNCTION newsroom.erase_edition_operations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE newsroom.edition_operation SET words = NULL
  WHERE words IS NOT NULL AND item_ids @> ARRAY[NEW.id];
  UPDATE record.edition_revision AS revised SET notes = (
    SELECT jsonb_agg(note) FROM jsonb_array_elements(revised.notes) AS note
    WHERE NOT note -> 'cites' @> to_jsonb(NEW.id::text))
  FROM (
    SELECT kind, period FROM record.edition_citation WHERE item_id = NEW.id
    UNION SELECT kind, period FROM record.edition_report WHERE item_id = NEW.id
  ) AS citing
  WHERE (revised.kind, revised.period) = (citing.kind, citing.period)
    AND revised.notes @> jsonb_build_array(jsonb_build_object('cites', jsonb_build_array(NEW.id::text)));
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION newsroom.erase_edition_operations FROM PUBLIC;
CREATE TRIGGER withdrawn_item_leaves_drafts AFTER UPDATE OF withdrawn_at ON record.item
  FOR EACH ROW WHEN (NEW.withdrawn_at IS NOT NULL) EXECUTE FUNCTION newsroom.erase_edition_operations();
