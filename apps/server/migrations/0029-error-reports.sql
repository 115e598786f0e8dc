-- What readers report as wrong, until it is mailed to the editors.
CREATE TABLE mailing.error_report (
  id uuid PRIMARY KEY,
  -- The path of the page it is about; empty where it is about none in particular.
  about text NOT NULL CHECK (char_length(about) <= 200),
  message text NOT NULL CHECK (char_length(message) BETWEEN 1 AND 4000),
  reply_to text CHECK (char_length(reply_to) <= 254),
  created_at timestamptz NOT NULL,
  -- Not before; while a worker sends it, when another may.
  due_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0
);
CREATE INDEX error_report_due ON mailing.error_report (due_at);
GRANT SELECT, INSERT, DELETE ON mailing.error_report TO daybook_application;
GRANT UPDATE (due_at, attempts) ON mailing.error_report TO daybook_application;
