-- Projects, folders, files and what lies in the bucket. Keys are led by the project, so that the large tables can be
-- partitioned by it.
CREATE SCHEMA storage;
GRANT USAGE ON SCHEMA storage TO daybook_application;

CREATE TABLE storage.project (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES identity.organization,
  workspace_id uuid NOT NULL REFERENCES identity.workspace,
  name text NOT NULL,
  -- Two names that fold to the same one are the same name.
  folded_name text NOT NULL,
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  trashed_at timestamptz
);
CREATE UNIQUE INDEX project_live_name ON storage.project (organization_id, folded_name) WHERE trashed_at IS NULL;
CREATE INDEX project_listed ON storage.project (organization_id, created_at, id) WHERE trashed_at IS NULL;
CREATE INDEX project_trashed ON storage.project (trashed_at) WHERE trashed_at IS NOT NULL;

-- A folder or a file. Both in one table, so that one index keeps the names of siblings apart.
CREATE TABLE storage.entry (
  project_id uuid NOT NULL REFERENCES storage.project,
  id uuid NOT NULL,
  -- Null: in the project itself. A move changes this one row.
  parent_id uuid,
  kind text NOT NULL CHECK (kind IN ('folder', 'file')),
  name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 255),
  folded_name text NOT NULL,
  -- Of a file: its current version.
  version integer CHECK ((kind = 'file') = (version IS NOT NULL)),
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Set on the root of what was deleted; whatever hangs below is in the trash with it.
  trashed_at timestamptz,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, parent_id) REFERENCES storage.entry (project_id, id),
  CHECK (parent_id <> id)
);
-- For addresses, which name a folder or file by its id alone.
CREATE UNIQUE INDEX entry_id ON storage.entry (id);
CREATE UNIQUE INDEX entry_live_name ON storage.entry (project_id, parent_id, folded_name) NULLS NOT DISTINCT
  WHERE trashed_at IS NULL;
CREATE INDEX entry_listed ON storage.entry (project_id, parent_id, created_at, id) WHERE trashed_at IS NULL;
-- Also the children of what is in the trash, and the foreign key.
CREATE INDEX entry_parent ON storage.entry (project_id, parent_id);
CREATE INDEX entry_trashed ON storage.entry (project_id, trashed_at, id) WHERE trashed_at IS NOT NULL;
CREATE INDEX entry_trashed_longest ON storage.entry (trashed_at) WHERE trashed_at IS NOT NULL;

-- Bytes in the bucket, under a random key; written once, never overwritten. A row is there before the bytes and goes
-- after them.
CREATE TABLE storage.blob (
  project_id uuid NOT NULL REFERENCES storage.project,
  key text NOT NULL CHECK (key ~ '^[0-9a-f]{32}$'),
  size bigint NOT NULL CHECK (size >= 0),
  sha256 bytea CHECK (octet_length(sha256) = 32),
  created_at timestamptz NOT NULL,
  -- With its hash; null while it is on its way.
  stored_at timestamptz CHECK (stored_at IS NULL OR sha256 IS NOT NULL),
  -- Nothing refers to it any more: the bytes go when the grace is over.
  condemned_at timestamptz,
  PRIMARY KEY (project_id, key)
);
CREATE UNIQUE INDEX blob_key ON storage.blob (key);
CREATE INDEX blob_condemned ON storage.blob (condemned_at) WHERE condemned_at IS NOT NULL;

CREATE TABLE storage.version (
  project_id uuid NOT NULL,
  file_id uuid NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  id uuid NOT NULL,
  blob_key text NOT NULL,
  media_type text NOT NULL,
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, file_id, number),
  FOREIGN KEY (project_id, file_id) REFERENCES storage.entry (project_id, id),
  FOREIGN KEY (project_id, blob_key) REFERENCES storage.blob (project_id, key)
);
CREATE INDEX version_listed ON storage.version (project_id, file_id, created_at, id);
CREATE INDEX version_blob ON storage.version (project_id, blob_key);
CREATE INDEX version_created ON storage.version (created_at);

CREATE TABLE storage.upload (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES storage.project,
  folder_id uuid,
  name text NOT NULL,
  size bigint NOT NULL CHECK (size >= 0),
  media_type text NOT NULL,
  -- What the sender says the bytes are; null where it says nothing.
  expected_sha256 bytea CHECK (octet_length(expected_sha256) = 32),
  if_taken text NOT NULL CHECK (if_taken IN ('refuse', 'version', 'rename')),
  if_match text,
  blob_key text NOT NULL,
  -- open: waits for its bytes. completing: they are all there, under staged_name. Then one of the two ends.
  state text NOT NULL CHECK (state IN ('open', 'completing', 'completed', 'abandoned')),
  staged_name text,
  file_id uuid,
  version integer,
  created_by uuid NOT NULL REFERENCES identity.account,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (project_id, blob_key) REFERENCES storage.blob (project_id, key),
  CHECK ((state = 'completed') = (file_id IS NOT NULL))
);
CREATE INDEX upload_under_way ON storage.upload (expires_at) WHERE state IN ('open', 'completing');
CREATE INDEX upload_completing ON storage.upload (id) WHERE state = 'completing';
CREATE INDEX upload_project ON storage.upload (project_id);
CREATE INDEX upload_blob ON storage.upload (project_id, blob_key);

-- used: stored and not condemned. reserved: uploads under way.
CREATE TABLE storage.usage (
  organization_id uuid PRIMARY KEY REFERENCES identity.organization,
  quota_bytes bigint CHECK (quota_bytes >= 0),
  used_bytes bigint NOT NULL DEFAULT 0 CHECK (used_bytes >= 0),
  reserved_bytes bigint NOT NULL DEFAULT 0 CHECK (reserved_bytes >= 0)
);

GRANT SELECT, INSERT, DELETE ON storage.project, storage.entry, storage.blob, storage.version, storage.upload
  TO daybook_application;
GRANT UPDATE (name, folded_name, updated_at, trashed_at) ON storage.project TO daybook_application;
GRANT UPDATE (parent_id, name, folded_name, version, updated_at, trashed_at) ON storage.entry TO daybook_application;
GRANT UPDATE (sha256, stored_at, condemned_at) ON storage.blob TO daybook_application;
GRANT UPDATE (state, staged_name, file_id, version, expires_at) ON storage.upload TO daybook_application;
GRANT SELECT, INSERT ON storage.usage TO daybook_application;
GRANT UPDATE (used_bytes, reserved_bytes) ON storage.usage TO daybook_application;
