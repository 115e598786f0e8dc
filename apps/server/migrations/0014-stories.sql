-- The index that finds the story of a report. Which story an item is in is the record's to say and kept there alone.
-- `newsroom/stories/README.md` says what is promised.
-- One row. Whoever assigns a report holds its lock until the end of the transaction: two first reports of one event
-- come one after the other, and the second finds the story of the first.
CREATE TABLE newsroom.story_corpus (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- In the index now.
  reports bigint NOT NULL CHECK (reports >= 0)
);
INSERT INTO newsroom.story_corpus (reports) VALUES (0);
GRANT SELECT, UPDATE ON newsroom.story_corpus TO daybook_application;

-- How many reports of the index hold a term.
CREATE TABLE newsroom.story_term_count (
  term text COLLATE "C" PRIMARY KEY,
  reports integer NOT NULL CHECK (reports >= 0)
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE, DELETE ON newsroom.story_term_count TO daybook_application;

-- Reports of the last fortnight, as they are compared.
CREATE TABLE newsroom.story_report (
  item_id uuid PRIMARY KEY,
  -- The order in which they were assigned: the first report of a story founded it.
  arrived bigint GENERATED ALWAYS AS IDENTITY,
  reported_at timestamptz NOT NULL,
  posted_terms text[] NOT NULL,
  content json NOT NULL
);
CREATE INDEX story_report_age ON newsroom.story_report (reported_at);
GRANT SELECT, INSERT, DELETE ON newsroom.story_report TO daybook_application;

-- Reports by their terms, the newest first.
CREATE TABLE newsroom.story_posting (
  term text COLLATE "C" NOT NULL,
  reported_at timestamptz NOT NULL,
  item_id uuid NOT NULL,
  PRIMARY KEY (term, reported_at, item_id)
);
GRANT SELECT, INSERT, DELETE ON newsroom.story_posting TO daybook_application;

-- Why an item is in its story, and why a story became part of another.
CREATE TABLE newsroom.story_decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  decided_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('open', 'join', 'same reading', 'no story', 'merge', 'split')),
  -- The report it is about, or that gave rise to it.
  item_id uuid NOT NULL,
  -- Where the report went; the survivor of a merge; the new story of a split. None for a roundup.
  story_id uuid,
  -- The story that was merged away, or that was split.
  other_story_id uuid,
  rule_version text NOT NULL,
  -- Candidates with their likelihoods, clashes and features; ids and numbers, no words of a report.
  detail jsonb NOT NULL
);
CREATE INDEX story_decision_item ON newsroom.story_decision (item_id);
CREATE INDEX story_decision_story ON newsroom.story_decision (story_id) WHERE story_id IS NOT NULL;
CREATE INDEX story_decision_other ON newsroom.story_decision (other_story_id) WHERE other_story_id IS NOT NULL;
GRANT SELECT, INSERT ON newsroom.story_decision TO daybook_application;
