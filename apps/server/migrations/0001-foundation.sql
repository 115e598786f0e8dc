-- Two group roles; the three logins are made by `daybook database logins`, which makes these as well. Where an
-- operator makes logins by hand, the owner needs CREATEROLE for this one migration. Roles belong to the whole
-- cluster, so another database may be making them at this moment.
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['daybook_application', 'daybook_news_reader'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
    END IF;
  END LOOP;
END $$;

CREATE SCHEMA foundation;
GRANT USAGE ON SCHEMA foundation TO daybook_application;

CREATE SCHEMA record;
GRANT USAGE ON SCHEMA record TO daybook_application, daybook_news_reader;

-- What has been applied. An older process reads `breaking` to learn that it must not run.
CREATE TABLE foundation.schema_migration (
  number integer PRIMARY KEY,
  name text NOT NULL,
  sha256 text NOT NULL,
  breaking boolean NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON foundation.schema_migration TO daybook_application;

-- The truth behind the representation cache. `changed` makes copies of a topic stale, `purged` forbids them.
CREATE TABLE record.representation_version (
  topic text PRIMARY KEY,
  changed bigint NOT NULL DEFAULT 0,
  purged bigint NOT NULL DEFAULT 0
);
GRANT SELECT ON record.representation_version TO daybook_news_reader;
GRANT SELECT, INSERT, UPDATE ON record.representation_version TO daybook_application;

-- Admitted requests of one key within its window, oldest first; one row lock decides each request.
CREATE TABLE foundation.strict_limit (
  key text PRIMARY KEY,
  admitted_at timestamptz[] NOT NULL,
  last_admitted boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX strict_limit_expires_at ON foundation.strict_limit (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON foundation.strict_limit TO daybook_application;
