-- daybook:blocks stories that were merged are few rows, and no decision changes them again
-- A withdrawal renames the story of its item. A merged story has no items, so its title would stay for ever.
UPDATE record.story SET title = '' WHERE merged_into IS NOT NULL AND title <> '';
