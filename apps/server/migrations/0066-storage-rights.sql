-- Permanent deletion and earlier versions have actions of their own. Policies, limits of API keys and shares retain
-- what they allowed on purpose: see `docs/decisions/0054-storage-rights.md`. Wildcards such as `Daybook.Storage/*/*`
-- include the new actions without a change.
CREATE FUNCTION storage.with_purge_and_history(actions text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT actions || coalesce(array_agg(DISTINCT added.action) FILTER (WHERE added.action <> ALL (actions)), '{}')
  FROM (VALUES
    ('Projects/delete', 'Projects/purge'),
    ('Projects/delete', 'Trash/purge'),
    ('Folders/delete', 'Folders/purge'),
    ('Files/delete', 'Files/purge'),
    ('*/delete', '*/purge'),
    ('Files/read', 'Versions/read')
  ) AS right_of (named, also)
    CROSS JOIN LATERAL (VALUES ('Daybook.Storage/' || right_of.also)) AS added (action)
  WHERE ('Daybook.Storage/' || right_of.named) = ANY (actions) OR ('Daybook.*/' || right_of.named) = ANY (actions)
$$;

-- A policy at the limits of its size (100 actions, 400 pairs) stays as it is.
UPDATE access.policy SET actions = storage.with_purge_and_history(actions)
WHERE actions && ARRAY[
    'Daybook.Storage/Projects/delete', 'Daybook.Storage/Folders/delete', 'Daybook.Storage/Files/delete',
    'Daybook.Storage/*/delete', 'Daybook.Storage/Files/read', 'Daybook.*/Projects/delete', 'Daybook.*/Folders/delete',
    'Daybook.*/Files/delete', 'Daybook.*/*/delete', 'Daybook.*/Files/read'
  ] AND cardinality(actions) <= 95 AND (cardinality(actions) + 5) * cardinality(resources) <= 400
  AND storage.with_purge_and_history(actions) <> actions;

UPDATE identity.api_key SET permissions = (
  SELECT jsonb_agg(jsonb_set(permission, '{actions}', to_jsonb(storage.with_purge_and_history(
    ARRAY (SELECT jsonb_array_elements_text(permission -> 'actions'))))) ORDER BY place)
  FROM jsonb_array_elements(permissions) WITH ORDINALITY AS listed (permission, place)
)
WHERE jsonb_typeof(permissions) = 'array' AND permissions::text ~ 'Daybook\.(Storage|\*)/(Projects|Folders|Files|\*)/(delete|read)';

-- Read shares show the current version from now on.
UPDATE access.share SET actions = actions || ARRAY['Daybook.Storage/Versions/read']
WHERE level IN ('write', 'manage') AND 'Daybook.Storage/Files/read' = ANY (actions)
  AND 'Daybook.Storage/Versions/read' <> ALL (actions);

-- The permission to replace content, as it was at the reservation: for any file of the folder, or for the file that
-- had the name. Null in rows of earlier releases, which end within 24 hours.
ALTER TABLE storage.upload
  ADD COLUMN may_replace boolean,
  ADD COLUMN replaces uuid;
GRANT UPDATE (may_replace) ON storage.upload TO daybook_application;

DROP FUNCTION storage.with_purge_and_history;
