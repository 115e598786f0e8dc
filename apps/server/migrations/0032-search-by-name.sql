-- outside a transaction
-- Folders and files are searched by any part of their names, in any script. What is indexed are single characters and
-- pairs, each together with the project: so the entries of one project are found without touching those of others.
-- Two that share a number cost a recheck, nothing else.
CREATE OR REPLACE FUNCTION storage.name_grams(project uuid, folded_name text) RETURNS integer[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT DISTINCT ('x' || left(md5(project::text || substr(folded_name, place, chars)), 8))::bit(32)::integer
  FROM generate_series(1, char_length(folded_name)) AS place, generate_series(1, 2) AS chars
  WHERE place + chars - 1 <= char_length(folded_name)
);
REVOKE ALL ON FUNCTION storage.name_grams FROM PUBLIC;
GRANT EXECUTE ON FUNCTION storage.name_grams TO daybook_application;

DROP INDEX CONCURRENTLY IF EXISTS storage.entry_name_grams;
CREATE INDEX CONCURRENTLY entry_name_grams ON storage.entry USING gin (storage.name_grams(project_id, folded_name))
  WITH (fastupdate = off) WHERE trashed_at IS NULL;
