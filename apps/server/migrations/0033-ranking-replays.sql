-- By which formula a ranking was made, and a hash of what was published, so that it can be made again from its evidence
-- and compared. Null in rankings of before.
ALTER TABLE record.ranking
  ADD COLUMN rule_version text,
  -- SHA-256 of its canonical JSON: time, entries, evidence.
  ADD COLUMN contents_hash bytea CHECK (length(contents_hash) = 32);
