import { parseArgs } from 'node:util';

import { readConfig } from '../config/config.ts';
import type { Database } from '../foundation/database/database.ts';
import type { Id } from '../foundation/ids.ts';
import { parseId } from '../foundation/ids.ts';
import { explainItem, explainStory } from '../newsroom/index.ts';
import { withDatabase } from '../wiring/connections.ts';
import type { Command } from './command-line.ts';
import { UsageError, printResult } from './command-line.ts';
import { correctRecord, isCorrection } from './newsroom/correct-record.ts';
import { evaluate } from './newsroom/evaluate.ts';
import { isReplayKind, replay } from './newsroom/replay.ts';
import { reviewEntries } from './newsroom/review.ts';
import { listUnpublished, retryUnpublished, verifyNewsroom } from './newsroom/unpublished.ts';

const help = `daybook newsroom <action>

  verify
      Check that all collected entries are published (read-only); exit code 1 if not
  unpublished [waiting|failed|held|declined] [--json]
      List unpublished entries and the reason, oldest first; without a state, all except declined entries
  retry <entry>|failed|held|declined
      Retry publication of an entry, or of all entries with this outcome
  review [--json]
      List entries with an instruction to machines: held because of their title, or published without it but not
      selected
  review accept <entry>
      Publish a held entry with its title, or allow the selection of an item
  review reject <entry> --reason "…"
      Never publish a held entry, or withdraw the item with this public reason
  evaluate selection <labelled.jsonl> [--chart <file.svg>] [--json]
      Compare selection with an editor’s labels, one {"title", "selected"} per line, at every threshold
  evaluate copy <labelled.jsonl> [--json]
      Write titles and summaries of labelled pages and compare them with the labels
  evaluate claims <labelled.jsonl> [--articles <file.jsonl>] [--json]
      Check labelled true and false sentences against the articles they cite
  explain item|story <id> [--json]
      Explain why an item belongs to its story, or why a story contains its items
  replay daily|weekly|monthly <period> [--json]
      Regenerate a report in every language from its stored inputs and compare it byte for byte; for a report of
      other rules, print the release that can regenerate it
  replay ranking <time or id> [--json]
      Regenerate the ranking of that time, such as 2026-11-15T08:05:00Z, and compare it

Corrections require --reason "…", which is published at /corrections. Text that you type is checked against the text
of the source; --unverified "…" publishes text that the source does not support, with this public reason:

  withdraw <item> --reason "…"
      Permanently remove an item and all text derived from it; reports that cite it get a new revision
  correct item <id> [--title "…"] [--summary "…"] [--category …] --reason "…"
      Change the text or category of an item, also in reports that cite it; rules no longer change it
  correct daily|weekly|monthly <period> [--headline "…"] [--overview "…"] [--language en|zh] --reason "…"
      Publish a new revision of a report with a note; the text is for readers of this language, by default of the
      language that the report is written in
  merge <story> <into story> --reason "…"
      Merge a story into another; its URL redirects to the other story
  split <story> <item>… --title "…" --reason "…"
      Move items into a new story`;

export const run: Command['run'] = async ([action = '--help', ...rest]) => {
  if (action === '--help' || rest.includes('--help')) {
    console.log(help);
    return;
  }
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: true,
    options: {
      articles: { type: 'string' },
      chart: { type: 'string' },
      json: { type: 'boolean', default: false },
      reason: { type: 'string' },
      title: { type: 'string' },
      summary: { type: 'string' },
      category: { type: 'string' },
      headline: { type: 'string' },
      overview: { type: 'string' },
      language: { type: 'string' },
      unverified: { type: 'string' },
    },
  });
  const [first, second] = positionals;
  if (action === 'verify') return verifyNewsroom();
  if (action === 'unpublished') return listUnpublished(first, values.json);
  if (action === 'retry') return retryUnpublished(first);
  if (action === 'review') return reviewEntries(positionals, values);
  if (action === 'evaluate') return evaluate(first, second, values);
  if (action === 'explain' && isExplained(first) && second !== undefined) {
    await explain(first, second, values.json);
  } else if (action === 'replay' && isReplayKind(first) && second !== undefined) {
    await replay(first, second, values.json);
  } else if (isCorrection(action)) await correctRecord(action, positionals, values);
  else throw new UsageError();
};

type Explained = 'item' | 'story';

function isExplained(kind: string | undefined): kind is Explained {
  return kind === 'item' || kind === 'story';
}

async function explain(kind: Explained, text: string, json: boolean): Promise<void> {
  const id = parseId(text);
  if (!id.ok) throw new Error(`${text} is not an id. Use the id of the ${kind} from the API.`);
  const config = readConfig(process.env);
  const lines = await withDatabase(config, { name: 'daybook newsroom' }, (database) =>
    explainOne(kind, database, id.value),
  );
  if (lines === null) throw new Error(`No decisions about the ${kind} ${text}.`);
  printResult(json, lines, lines);
}

function explainOne(kind: Explained, database: Database, id: Id<string>): Promise<readonly string[] | null> {
  return kind === 'item'
    ? explainItem(database, id as Id<'item'>)
    : explainStory(database, id as Id<'story'>);
}
