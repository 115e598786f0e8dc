-- The picture that a person gives their account, without anything that does not draw it.
CREATE TABLE identity.account_picture (
  account_id uuid PRIMARY KEY REFERENCES identity.account,
  -- Another one for every picture, so that the same address never has other bytes.
  id uuid NOT NULL UNIQUE,
  media_type text NOT NULL CHECK (media_type IN ('image/png', 'image/jpeg', 'image/webp')),
  width integer NOT NULL CHECK (width BETWEEN 1 AND 1024),
  height integer NOT NULL CHECK (height BETWEEN 1 AND 1024),
  content bytea NOT NULL CHECK (octet_length(content) <= 262144),
  created_at timestamptz NOT NULL
);
-- These formats are compressed already.
ALTER TABLE identity.account_picture ALTER COLUMN content SET STORAGE EXTERNAL;
GRANT SELECT, INSERT, DELETE ON identity.account_picture TO daybook_application;
