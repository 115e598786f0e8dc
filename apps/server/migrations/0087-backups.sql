-- Backups and drills that were completed, as the tools that made them reported. For metrics, pages and `daybook doctor`.
CREATE TABLE foundation.backup (
  kind text NOT NULL CHECK (kind IN ('database', 'files', 'drill')),
  -- The name that the tool gave it.
  label text NOT NULL,
  finished_at timestamptz NOT NULL,
  seconds double precision NOT NULL CHECK (seconds >= 0),
  -- In the repository; of a drill, of the restored database.
  bytes bigint NOT NULL CHECK (bytes >= 0),
  -- What went wrong; null if nothing did.
  fault text,
  PRIMARY KEY (kind, label)
);
CREATE INDEX backup_finished_at ON foundation.backup (kind, finished_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON foundation.backup TO daybook_application;
