-- outside a transaction
-- For the bytes that one guest has stored and reserved.
DROP INDEX CONCURRENTLY IF EXISTS storage.upload_sender;
CREATE INDEX CONCURRENTLY upload_sender ON storage.upload (created_by);
