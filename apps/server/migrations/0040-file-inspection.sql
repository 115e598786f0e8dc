-- What content is by its own bytes, and whether a scanner found something in it.
ALTER TABLE storage.blob
  -- Null until a worker has looked.
  ADD COLUMN detected_media_type text CHECK (octet_length(detected_media_type) <= 200),
  -- unscanned: stored without a scanner. waiting: a scanner is to look into it first.
  ADD COLUMN scan_state text NOT NULL DEFAULT 'unscanned'
    CHECK (scan_state IN ('unscanned', 'waiting', 'clean', 'infected')),
  ADD COLUMN scan_finding text
    CHECK (octet_length(scan_finding) <= 200 AND (scan_finding IS NULL OR scan_state = 'infected')),
  ADD COLUMN inspection_tries integer NOT NULL DEFAULT 0,
  -- When a worker looks into it; null: it has. What is stored already is due now.
  ADD COLUMN inspection_due_at timestamptz DEFAULT now();
CREATE INDEX blob_inspection_due ON storage.blob (inspection_due_at)
  WHERE inspection_due_at IS NOT NULL AND stored_at IS NOT NULL AND condemned_at IS NULL;
GRANT UPDATE (detected_media_type, scan_state, scan_finding, inspection_tries, inspection_due_at) ON storage.blob
  TO daybook_application;
