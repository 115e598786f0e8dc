-- What no api process has seen whole is hashed by a worker, after it was stored.
ALTER TABLE storage.blob DROP CONSTRAINT blob_check;
