-- The words by which questions find selected items of all time, in slices of 30 days: a search reads the newest slice
-- first, and stops at enough matches. Pairs of characters of scripts without spaces, else words without their endings.
CREATE FUNCTION record.archive_slice(at timestamptz) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN floor(extract(epoch FROM at) / 2592000)::integer;

CREATE FUNCTION record.search_words(words text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  WITH folded AS MATERIALIZED (SELECT lower(normalize(words, NFKC) COLLATE "C") AS words)
  SELECT coalesce(array_agg(DISTINCT word), '{}') FROM (
    SELECT left(regexp_replace(found[1], '(?<=[a-z]{4})(ing|ed|es|s)+$', ''), 12) AS word
    FROM folded, regexp_matches(words, '[a-z0-9\u00c0-\u02af\u0370-\u1fff]+', 'g') AS found
    UNION ALL
    SELECT substr(found[1], place, 2)
    FROM folded, regexp_matches(words, '[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+', 'g') AS found,
      generate_series(1, greatest(length(found[1]) - 1, 1)) AS place
  ) AS every
$$;

CREATE FUNCTION record.archive_words(at timestamptz, title text, original_title text, summary text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
  SELECT array_agg(record.archive_slice(at) || ':' || word)
  FROM unnest(record.search_words(concat_ws(' ', title, original_title, summary))) AS word
$$;
