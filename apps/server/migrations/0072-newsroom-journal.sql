-- The words of journal entries: reasons, titles and summaries. An entry refers to them by a hash over a random salt and
-- the words, so that nothing remains of words that were erased.
CREATE TABLE newsroom.journal_words (
  hash bytea PRIMARY KEY CHECK (length(hash) = 32),
  salt bytea,
  words text,
  -- The items that the words are about: the withdrawal of one of them erases the words.
  item_ids uuid[] NOT NULL,
  CHECK ((salt IS NULL) = (words IS NULL))
);
CREATE INDEX journal_words_items ON newsroom.journal_words USING gin (item_ids) WHERE words IS NOT NULL;
GRANT SELECT, INSERT ON newsroom.journal_words TO daybook_application;

-- Decisions about published news, by a person or by rule. The decisions of grouping are in newsroom.story_decision.
CREATE TABLE newsroom.journal_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  action text NOT NULL,
  subject_kind text NOT NULL CHECK (subject_kind IN ('item', 'entry', 'story', 'daily', 'weekly', 'monthly')),
  -- The id of an item, an entry or a story, the period of an edition.
  subject text NOT NULL,
  decided_by text NOT NULL CHECK (decided_by IN ('person', 'operator', 'rule')),
  account_id uuid,
  -- The rule that decided.
  rule text,
  -- Of the form: a repeated request has no effect.
  request_id uuid UNIQUE,
  -- The entry that this one undoes; each entry is undone at most once.
  undoes bigint UNIQUE REFERENCES newsroom.journal_entry,
  -- Ids, numbers and values of fixed lists; no words.
  detail jsonb NOT NULL,
  reason_hash bytea REFERENCES newsroom.journal_words,
  before_hash bytea REFERENCES newsroom.journal_words,
  after_hash bytea REFERENCES newsroom.journal_words,
  CHECK ((decided_by = 'person') = (account_id IS NOT NULL)),
  CHECK ((decided_by = 'rule') = (rule IS NOT NULL))
);
CREATE INDEX journal_entry_subject ON newsroom.journal_entry (subject, id);
GRANT SELECT, INSERT ON newsroom.journal_entry TO daybook_application;

-- What people decided about an item and rules leave as it is, until a person decides again.
CREATE TABLE newsroom.item_override (
  item_id uuid PRIMARY KEY,
  keeps_title boolean NOT NULL DEFAULT false,
  keeps_summary boolean NOT NULL DEFAULT false,
  keeps_category boolean NOT NULL DEFAULT false,
  -- Null: rules decide.
  selection text CHECK (selection IN ('selected', 'unselected')),
  -- What the rules wrote after the last edit of the publisher, instead of the words that stay.
  proposed_title text,
  proposed_summary text
);
GRANT SELECT, INSERT, UPDATE ON newsroom.item_override TO daybook_application;

CREATE FUNCTION newsroom.refuse_journal_change() RETURNS trigger LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  RAISE EXCEPTION 'entries of the journal are not changed or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER journal_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON newsroom.journal_entry
  FOR EACH STATEMENT EXECUTE FUNCTION newsroom.refuse_journal_change();
CREATE TRIGGER story_decision_append_only BEFORE UPDATE OR DELETE ON newsroom.story_decision
  FOR EACH ROW EXECUTE FUNCTION newsroom.refuse_journal_change();
CREATE TRIGGER journal_words_not_deleted BEFORE DELETE OR TRUNCATE ON newsroom.journal_words
  FOR EACH STATEMENT EXECUTE FUNCTION newsroom.refuse_journal_change();
-- Words are erased, not changed.
CREATE TRIGGER journal_words_erased_only BEFORE UPDATE ON newsroom.journal_words FOR EACH ROW
  WHEN (NEW.words IS NOT NULL OR NEW.hash <> OLD.hash OR NEW.item_ids <> OLD.item_ids)
  EXECUTE FUNCTION newsroom.refuse_journal_change();

-- A withdrawal erases the words about the item, whoever withdraws it. The application cannot update the words itself.
CREATE FUNCTION newsroom.erase_journal_words() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  UPDATE newsroom.journal_words SET salt = NULL, words = NULL
  WHERE words IS NOT NULL AND item_ids @> ARRAY[NEW.id];
  DELETE FROM newsroom.item_override WHERE item_id = NEW.id;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION newsroom.erase_journal_words FROM PUBLIC;
CREATE TRIGGER withdrawn_item_leaves_journal AFTER UPDATE OF withdrawn_at ON record.item
  FOR EACH ROW WHEN (NEW.withdrawn_at IS NOT NULL) EXECUTE FUNCTION newsroom.erase_journal_words();

-- Entries that a person holds back before they are published, or never publishes.
CREATE TABLE newsroom.entry_hold (
  entry_id uuid PRIMARY KEY REFERENCES newsroom.entry,
  state text NOT NULL CHECK (state IN ('held', 'dropped')),
  -- The end of an embargo; null: until a person releases it.
  until timestamptz,
  CHECK (state = 'held' OR until IS NULL)
);
CREATE INDEX entry_hold_until ON newsroom.entry_hold (until) WHERE until IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.entry_hold TO daybook_application;
