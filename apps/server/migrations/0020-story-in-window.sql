-- breaking
-- Which story an item of the window belongs to, so that a page of them touches nothing that grows with the archive.
ALTER TABLE record.window_item ADD COLUMN story_id uuid;
UPDATE record.window_item AS shown SET story_id = item.story_id
FROM record.item
WHERE item.id = shown.id AND item.story_id IS NOT NULL;
