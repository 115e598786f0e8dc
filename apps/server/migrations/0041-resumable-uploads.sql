-- Uploads that are sent in pieces and go on after a break: how far they are, and who may write to them.
ALTER TABLE storage.upload
  -- How many bytes are certain; null where they are sent by another method.
  ADD COLUMN received bigint CHECK (received BETWEEN 0 AND size),
  -- Grows with every writer: what an earlier one still sends is refused.
  ADD COLUMN fence bigint NOT NULL DEFAULT 0,
  -- Until then nobody else writes; null once the last writer has ended by itself.
  ADD COLUMN leased_until timestamptz,
  -- What the bucket said of each part, in their order: others are not published.
  ADD COLUMN part_tags text[] NOT NULL DEFAULT '{}';

-- The last bytes of such an upload while they are too few for a part of their own.
CREATE TABLE storage.upload_tail (
  upload_id uuid NOT NULL REFERENCES storage.upload ON DELETE CASCADE,
  -- Pieces of 256 KiB, counted from the first byte of the upload.
  number integer NOT NULL CHECK (number >= 0),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 262144),
  PRIMARY KEY (upload_id, number)
);
-- Files are seldom made smaller by compressing them once more.
ALTER TABLE storage.upload_tail ALTER COLUMN bytes SET STORAGE EXTERNAL;

GRANT UPDATE (received, fence, leased_until, part_tags) ON storage.upload TO daybook_application;
GRANT SELECT, INSERT, DELETE ON storage.upload_tail TO daybook_application;
GRANT UPDATE (bytes) ON storage.upload_tail TO daybook_application;
