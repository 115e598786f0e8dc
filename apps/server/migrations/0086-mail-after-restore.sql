-- The last restore of the database. Reports whose window ended before are not mailed: they may have been.
CREATE TABLE mailing.restore (restored_at timestamptz PRIMARY KEY);
GRANT SELECT ON mailing.restore TO daybook_application;
