-- outside a transaction
-- Content that waits to be inspected and read is taken from each project and organization in turn.
DROP INDEX CONCURRENTLY IF EXISTS storage.blob_inspection_turn;
CREATE INDEX CONCURRENTLY blob_inspection_turn ON storage.blob (project_id, inspection_due_at)
  WHERE inspection_due_at IS NOT NULL AND stored_at IS NOT NULL AND condemned_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS storage.derived_turn;
CREATE INDEX CONCURRENTLY derived_turn ON storage.derived (organization_id, due_at) WHERE due_at IS NOT NULL;
