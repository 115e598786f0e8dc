-- The transaction of an entry: ids are given before the commit, so their order is not that of the commits. Entries of
-- transactions before the oldest running one are complete. Null for older entries.
ALTER TABLE newsroom.journal_entry ADD COLUMN xid xid8;
ALTER TABLE newsroom.journal_entry ALTER COLUMN xid SET DEFAULT pg_current_xact_id();

-- What has entered the queue of the desk, for the pages that are open. Deleted after two days.
CREATE TABLE newsroom.queue_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  at timestamptz NOT NULL DEFAULT now(),
  -- A list of the queue.
  kind text NOT NULL,
  subject text NOT NULL
);
CREATE INDEX queue_event_xid ON newsroom.queue_event (xid, id);
CREATE INDEX queue_event_at ON newsroom.queue_event (at);
GRANT SELECT, INSERT, DELETE ON newsroom.queue_event TO daybook_application;

-- Who has changed a form on a page of the desk without sending it, for the others who open it.
CREATE TABLE newsroom.desk_presence (
  -- Kind and id, as in the journal: `story 0198…`.
  subject text NOT NULL,
  account_id uuid NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (subject, account_id)
);
CREATE INDEX desk_presence_seen_at ON newsroom.desk_presence (seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.desk_presence TO daybook_application;

-- Arguments: the list, and the column with the id of its subject.
CREATE FUNCTION newsroom.announce_queue_entry() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  subject text;
BEGIN
  EXECUTE format('SELECT ($1).%I::text', TG_ARGV[1]) INTO subject USING NEW;
  INSERT INTO newsroom.queue_event (kind, subject) VALUES (TG_ARGV[0], subject);
  RETURN NULL;
END $$;

CREATE TRIGGER review_enters_queue AFTER INSERT ON newsroom.entry_review FOR EACH ROW
  WHEN (NEW.decision IS NULL) EXECUTE FUNCTION newsroom.announce_queue_entry('instruction', 'entry_id');
CREATE TRIGGER held_instruction_enters_queue AFTER UPDATE OF outcome ON newsroom.entry FOR EACH ROW
  WHEN (NEW.outcome = 'held' AND OLD.outcome IS DISTINCT FROM NEW.outcome)
  EXECUTE FUNCTION newsroom.announce_queue_entry('instruction', 'id');
CREATE TRIGGER failed_entry_enters_queue AFTER UPDATE OF outcome ON newsroom.entry FOR EACH ROW
  WHEN (NEW.outcome = 'failed' AND OLD.outcome IS DISTINCT FROM NEW.outcome)
  EXECUTE FUNCTION newsroom.announce_queue_entry('failed', 'id');
CREATE TRIGGER held_entry_enters_queue AFTER INSERT OR UPDATE OF state ON newsroom.entry_hold FOR EACH ROW
  WHEN (NEW.state = 'held') EXECUTE FUNCTION newsroom.announce_queue_entry('held', 'entry_id');
CREATE TRIGGER new_source_enters_queue AFTER UPDATE OF succeeded_at ON newsroom.source FOR EACH ROW
  WHEN (OLD.succeeded_at IS NULL AND NEW.succeeded_at IS NOT NULL)
  EXECUTE FUNCTION newsroom.announce_queue_entry('first-import', 'id');
CREATE TRIGGER unusual_source_enters_queue AFTER INSERT ON newsroom.source_alert FOR EACH ROW
  EXECUTE FUNCTION newsroom.announce_queue_entry('source', 'source_id');
CREATE TRIGGER changed_alert_enters_queue AFTER UPDATE OF kind ON newsroom.source_alert FOR EACH ROW
  WHEN (OLD.kind <> NEW.kind) EXECUTE FUNCTION newsroom.announce_queue_entry('source', 'source_id');
CREATE TRIGGER reported_error_enters_queue AFTER INSERT ON newsroom.reader_report FOR EACH ROW
  EXECUTE FUNCTION newsroom.announce_queue_entry('report', 'id');
-- The conditions of the indexes story_decision_doubtful and story_contradicted.
CREATE TRIGGER doubtful_grouping_enters_queue AFTER INSERT ON newsroom.story_decision FOR EACH ROW
  WHEN (NEW.kind IN ('open', 'join')
    AND (NEW.detail -> 'verdicts' -> 0 ->> 'likelihood')::float8 BETWEEN 0.35 AND 0.6)
  EXECUTE FUNCTION newsroom.announce_queue_entry('grouping', 'item_id');
CREATE TRIGGER contradiction_enters_queue AFTER UPDATE OF digest ON record.story FOR EACH ROW
  WHEN (NEW.digest -> 'contradictions' IS DISTINCT FROM OLD.digest -> 'contradictions'
    AND jsonb_array_length(NEW.digest -> 'contradictions') > 0)
  EXECUTE FUNCTION newsroom.announce_queue_entry('contradiction', 'id');
