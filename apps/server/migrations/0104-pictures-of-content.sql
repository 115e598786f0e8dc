-- A small picture of content: of a picture, or of the first page of a PDF. Deleted with what else was derived from it.
CREATE TABLE storage.content_picture (
  key text PRIMARY KEY REFERENCES storage.derived ON DELETE CASCADE,
  picture bytea NOT NULL CHECK (octet_length(picture) BETWEEN 1 AND 65536)
);
GRANT SELECT, INSERT, DELETE ON storage.content_picture TO daybook_application;
