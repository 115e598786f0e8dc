-- A story has a digest in each language of its reports. `digest` is the one in the language of the title.
ALTER TABLE record.story
  -- The one in the other language; the same form.
  ADD COLUMN other_digest jsonb;

-- A process of 0.1.0 does not know `other_digest`: its withdrawals must remove the item's words from it as well.
CREATE FUNCTION record.drop_other_digest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE record.story SET digest = NULL, other_digest = NULL
  WHERE id = NEW.story_id AND other_digest::text LIKE '%' || NEW.id || '%';
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawn_item_leaves_other_digest AFTER UPDATE OF withdrawn_at ON record.item
  FOR EACH ROW WHEN (OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL AND NEW.story_id IS NOT NULL)
  EXECUTE FUNCTION record.drop_other_digest();
