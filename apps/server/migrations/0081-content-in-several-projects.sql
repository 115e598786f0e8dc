-- outside a transaction
-- Content that is copied or moved to another project has a row in each project, with the same key: its bytes are stored
-- once.
DROP INDEX CONCURRENTLY IF EXISTS storage.blob_of_key;
CREATE INDEX CONCURRENTLY blob_of_key ON storage.blob (key);
DROP INDEX CONCURRENTLY IF EXISTS storage.blob_key;

-- Processes of an earlier release remove the bytes of a condemned row when its grace has passed. A row whose key another
-- project still uses is condemned for ever, so that they leave the bytes; workers of this release remove the row alone.
CREATE OR REPLACE FUNCTION storage.condemn_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM storage.blob AS other WHERE other.key = NEW.key
             AND other.project_id <> NEW.project_id AND other.condemned_at IS NULL)
  THEN NEW.condemned_at := 'infinity'; END IF; RETURN NEW; END $$;
CREATE OR REPLACE TRIGGER blob_is_condemned BEFORE UPDATE OF condemned_at ON storage.blob FOR EACH ROW
  WHEN (OLD.condemned_at IS NULL AND NEW.condemned_at IS NOT NULL) EXECUTE FUNCTION storage.condemn_blob();

-- A move to another project.
GRANT UPDATE (project_id) ON storage.entry, storage.version TO daybook_application;
