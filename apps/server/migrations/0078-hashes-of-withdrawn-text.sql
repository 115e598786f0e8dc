-- daybook:blocks corrections and the stored words of editions are few rows, and no reader waits for them
-- A hash without a salt confirms a guess of withdrawn text. Corrections refer to the public log from now on; stored wordings
-- get keys that do not depend on their text. The secret is not stored.
DO $$
DECLARE
  secret bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
BEGIN
  UPDATE record.correction SET before_hash = NULL WHERE before_hash IS NOT NULL;
  UPDATE record.edition_material SET inputs = (
    SELECT coalesce(jsonb_agg(
      jsonb_set(input, '{words}', to_jsonb(encode(sha256(secret || decode(input ->> 'words', 'hex')), 'hex')))
      ORDER BY place), '[]')
    FROM jsonb_array_elements(inputs) WITH ORDINALITY AS read (input, place))
  WHERE jsonb_typeof(inputs) = 'array';
  UPDATE record.item_words SET hash = sha256(secret || hash);
END
$$;
