-- A withdrawal erases what the newsroom stores of the words of an item, whichever process withdraws it. The application
-- cannot update sightings itself.
CREATE FUNCTION newsroom.erase_source_words() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE newsroom.sighting SET title = '' WHERE entry_id = NEW.id AND title <> '';
  UPDATE newsroom.entry_copy SET copy = NULL WHERE entry_id = NEW.id AND copy IS NOT NULL;
  UPDATE newsroom.item_override SET proposed_title = NULL, proposed_summary = NULL
  WHERE item_id = NEW.id AND (proposed_title IS NOT NULL OR proposed_summary IS NOT NULL);
  -- The index of stories has the title without spaces. Its single terms stay: the counts of the index are reduced by
  -- them when the item leaves the index.
  UPDATE newsroom.story_report SET content = jsonb_set(content::jsonb
    || '{"title": {"quantities": [], "companies": [], "versions": []}, "text": null, "addressKey": null}',
    '{signature,titleKey}', '""')::json
  WHERE item_id = NEW.id;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION newsroom.erase_source_words FROM PUBLIC;
CREATE TRIGGER withdrawn_item_leaves_sources AFTER UPDATE OF withdrawn_at ON record.item
  FOR EACH ROW WHEN (NEW.withdrawn_at IS NOT NULL) EXECUTE FUNCTION newsroom.erase_source_words();

-- Lists can contain the article after its withdrawal, also with another wording.
CREATE FUNCTION newsroom.omit_withdrawn_title() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF EXISTS (SELECT FROM record.item WHERE id = NEW.entry_id AND withdrawn_at IS NOT NULL) THEN
    NEW.title := '';
  END IF;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION newsroom.omit_withdrawn_title FROM PUBLIC;
CREATE TRIGGER sighting_without_withdrawn_title BEFORE INSERT ON newsroom.sighting
  FOR EACH ROW EXECUTE FUNCTION newsroom.omit_withdrawn_title();

CREATE FUNCTION newsroom.omit_withdrawn_text() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  NEW.title := '';
  NEW.text := '';
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION newsroom.omit_withdrawn_text FROM PUBLIC;
CREATE TRIGGER entry_without_withdrawn_text BEFORE UPDATE ON newsroom.entry
  FOR EACH ROW WHEN (NEW.withdrawn_at IS NOT NULL AND (NEW.title <> '' OR NEW.text <> ''))
  EXECUTE FUNCTION newsroom.omit_withdrawn_text();

UPDATE newsroom.sighting SET title = ''
FROM record.item WHERE item.id = sighting.entry_id AND item.withdrawn_at IS NOT NULL AND sighting.title <> '';
UPDATE newsroom.entry_copy SET copy = NULL
FROM record.item WHERE item.id = entry_copy.entry_id AND item.withdrawn_at IS NOT NULL AND copy IS NOT NULL;
UPDATE newsroom.item_override SET proposed_title = NULL, proposed_summary = NULL
FROM record.item WHERE item.id = item_override.item_id AND item.withdrawn_at IS NOT NULL
  AND (proposed_title IS NOT NULL OR proposed_summary IS NOT NULL);
