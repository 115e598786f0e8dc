-- outside a transaction
ALTER TABLE storage.blob VALIDATE CONSTRAINT blob_scan_state_check;
ALTER TABLE storage.blob VALIDATE CONSTRAINT blob_scan_finding_check;
-- For content that was scanned longest ago.
DROP INDEX CONCURRENTLY IF EXISTS storage.blob_scanned;
CREATE INDEX CONCURRENTLY blob_scanned ON storage.blob (scanned_at NULLS FIRST)
  WHERE inspection_due_at IS NULL AND stored_at IS NOT NULL AND condemned_at IS NULL;
