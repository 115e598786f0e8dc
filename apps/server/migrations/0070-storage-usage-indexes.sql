-- outside a transaction
-- For the open uploads of one person, and for the blobs that no person is known for.
DROP INDEX CONCURRENTLY IF EXISTS storage.upload_open_of_sender;
CREATE INDEX CONCURRENTLY upload_open_of_sender ON storage.upload (created_by) WHERE state = 'open';
DROP INDEX CONCURRENTLY IF EXISTS storage.blob_uncounted;
CREATE INDEX CONCURRENTLY blob_uncounted ON storage.blob (project_id) WHERE stored_by IS NULL AND condemned_at IS NULL;
