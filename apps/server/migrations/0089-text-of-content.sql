-- What workers derive from content: its text, for search. One row per content, however many projects use it.
CREATE TABLE storage.derived (
  key text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization ON DELETE CASCADE,
  -- Null: finished.
  due_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  -- Why content of a readable type has no text.
  fault text CHECK (octet_length(fault) <= 400),
  -- What it counts toward the quota of the organization.
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0)
);
CREATE INDEX derived_due ON storage.derived (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX derived_organization ON storage.derived (organization_id);

-- Newest last: positions of an organization increase, and so do their times. The texts of a slice of positions share
-- numbers in the index that no other slice and no other organization has.
CREATE TABLE storage.content_text (
  key text PRIMARY KEY REFERENCES storage.derived ON DELETE CASCADE,
  organization_id uuid NOT NULL,
  slice integer NOT NULL,
  ordered_at timestamptz NOT NULL,
  is_truncated boolean NOT NULL,
  text text NOT NULL,
  -- As the terms of a search are folded, and its grams.
  folded text NOT NULL,
  grams integer[] NOT NULL
);
CREATE INDEX content_text_grams ON storage.content_text USING gin (grams) WITH (fastupdate = off);
CREATE INDEX content_text_ordered ON storage.content_text (organization_id, ordered_at);

-- The last position of each organization.
CREATE TABLE storage.text_order (
  organization_id uuid PRIMARY KEY REFERENCES identity.organization ON DELETE CASCADE,
  position bigint NOT NULL,
  ordered_at timestamptz NOT NULL
);

-- How far a worker has queued the content of earlier releases; null: all of it.
CREATE TABLE storage.derivation_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  after_key text
);
INSERT INTO storage.derivation_progress (after_key) VALUES ('');

GRANT SELECT, INSERT, DELETE ON storage.derived TO daybook_application;
GRANT UPDATE (due_at, tries, fault, bytes) ON storage.derived TO daybook_application;
GRANT SELECT, INSERT, DELETE ON storage.content_text TO daybook_application;
GRANT SELECT, INSERT ON storage.text_order TO daybook_application;
GRANT UPDATE (position, ordered_at) ON storage.text_order TO daybook_application;
GRANT SELECT ON storage.derivation_progress TO daybook_application;
GRANT UPDATE (after_key) ON storage.derivation_progress TO daybook_application;

-- Counted once for the organization, as long as the row exists.
CREATE FUNCTION storage.count_derived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  delta bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN delta := delta - OLD.bytes; END IF;
  IF TG_OP <> 'DELETE' THEN delta := delta + NEW.bytes; END IF;
  IF delta <> 0 THEN
    UPDATE storage.usage SET used_bytes = used_bytes + delta
    WHERE organization_id = (CASE TG_OP WHEN 'DELETE' THEN OLD.organization_id ELSE NEW.organization_id END);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER derived_is_counted AFTER INSERT OR DELETE OR UPDATE OF bytes ON storage.derived
  FOR EACH ROW EXECUTE FUNCTION storage.count_derived();

-- Deleted with the last live row of the content. Two rows that are condemned at the same time do not see each other:
-- then it is deleted with the last row.
CREATE FUNCTION storage.forget_derived() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM storage.derived WHERE key = OLD.key AND NOT EXISTS (
    SELECT FROM storage.blob WHERE blob.key = OLD.key AND blob.condemned_at IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER blob_forgets_derived AFTER UPDATE OF condemned_at ON storage.blob FOR EACH ROW
  WHEN (OLD.condemned_at IS NULL AND NEW.condemned_at IS NOT NULL) EXECUTE FUNCTION storage.forget_derived();
CREATE TRIGGER blob_is_forgotten AFTER DELETE ON storage.blob FOR EACH ROW
  EXECUTE FUNCTION storage.forget_derived();
