-- outside a transaction
-- The folders directly below a folder, without passing its files: a move asks how deep what is moved goes.
DROP INDEX CONCURRENTLY IF EXISTS storage.entry_folders;
CREATE INDEX CONCURRENTLY entry_folders ON storage.entry (project_id, parent_id) WHERE kind = 'folder';
