-- A third result of the malware scan: the scanner could not read all of the content. The constraints are validated by
-- the next migration, without blocking writes.
ALTER TABLE storage.blob
  DROP CONSTRAINT blob_scan_state_check,
  ADD CONSTRAINT blob_scan_state_check
    CHECK (scan_state IN ('unscanned', 'waiting', 'clean', 'infected', 'unscannable')) NOT VALID,
  DROP CONSTRAINT blob_check1,
  ADD CONSTRAINT blob_scan_finding_check CHECK (octet_length(scan_finding) <= 200
    AND (scan_finding IS NULL OR scan_state IN ('infected', 'unscannable'))) NOT VALID,
  -- Null: before this column, or never.
  ADD COLUMN scanned_at timestamptz;
GRANT UPDATE (scanned_at) ON storage.blob TO daybook_application;

-- The version of the scanner and its signatures: content that was scanned before the last change is scanned again.
CREATE TABLE storage.scanner (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version text NOT NULL,
  changed_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON storage.scanner TO daybook_application;
GRANT UPDATE (version, changed_at) ON storage.scanner TO daybook_application;
