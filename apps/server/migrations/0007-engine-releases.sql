-- Which workflows in which versions an executor runs; `application_version` is their hash. What a release began is
-- continued by others once no executor of it is alive.
ALTER TABLE foundation.executor ADD COLUMN workflow_versions jsonb NOT NULL DEFAULT '{}';

-- Since when the executor's lock has been seen free, and the start of the PostgreSQL server that was asked. Kept here so
-- that a watcher that dies as well leaves its observation behind.
ALTER TABLE foundation.executor
  ADD COLUMN lock_free_since timestamptz,
  ADD COLUMN lock_free_server_start timestamptz,
  ADD CHECK ((lock_free_since IS NULL) = (lock_free_server_start IS NULL));
