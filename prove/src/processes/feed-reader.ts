import { agrees } from '../feeds/agreement.ts';
/** Reads every document in a process of its own, so that what it needs can be measured. Prints one line of JSON. */
import type { Assertion } from '../feeds/assertion.ts';
import type { FeedFile } from '../feeds/feed-documents.ts';
import { readFeedFiles } from '../feeds/feed-documents.ts';
import { hostileDocuments } from '../feeds/hostile-documents.ts';
import { feedsmithFacts, ourFacts } from '../feeds/reader-facts.ts';

export interface ReadingReport {
  readonly documents: number;
  readonly feeds: number;
  readonly crashed: readonly string[];
  readonly slowest: { readonly document: string; readonly seconds: number };
  readonly hostile: number;
  readonly slowestHostile: { readonly document: string; readonly seconds: number };
  readonly memoryMegabytes: number;
  readonly assertions: number;
  readonly agreed: number;
  readonly agreedByFeedsmith: number;
  readonly agreedByField: Readonly<Record<string, readonly [number, number]>>;
  readonly disagreements: readonly Assertion[];
  readonly exclusions: Readonly<Record<string, number>>;
}

const [folder = '', hostileMegabytes = '1'] = process.argv.slice(2);

const crashed: string[] = [];
const disagreements: Assertion[] = [];
const exclusions: Record<string, number> = {};
const agreedByField: Record<string, [number, number]> = {};
let documents = 0;
let feeds = 0;
let assertions = 0;
let agreedByFeedsmith = 0;
let slowest = { document: '', seconds: 0 };

for (const file of readFeedFiles(folder)) {
  documents += 1;
  const { facts, seconds } = timed(file);
  if (seconds > slowest.seconds) slowest = { document: file.path, seconds };
  if (facts !== null) feeds += 1;
  const { assertions: expected, exclusions: excluded } = file.expectations;
  for (const { reason } of excluded) exclusions[reason] = (exclusions[reason] ?? 0) + 1;
  const theirs = expected.length === 0 ? null : feedsmithFacts(file);
  for (const assertion of expected) {
    const tally = (agreedByField[assertion.field] ??= [0, 0]);
    tally[1] += 1;
    assertions += 1;
    if (agrees(assertion, theirs)) agreedByFeedsmith += 1;
    if (agrees(assertion, facts)) tally[0] += 1;
    else disagreements.push(assertion);
  }
}

let hostile = 0;
let slowestHostile = { document: '', seconds: 0 };
for (const [name, write] of hostileDocuments(Number(hostileMegabytes))) {
  hostile += 1;
  const bytes = new TextEncoder().encode(write());
  const none = { assertions: [], exclusions: [] };
  const { seconds } = timed({
    path: name,
    bytes,
    contentType: null,
    url: 'http://a.example/',
    expectations: none,
  });
  if (seconds > slowestHostile.seconds) slowestHostile = { document: name, seconds };
}

const report: ReadingReport = {
  documents,
  feeds,
  crashed,
  slowest,
  hostile,
  slowestHostile,
  memoryMegabytes: process.resourceUsage().maxRSS / 1024,
  assertions,
  agreed: assertions - disagreements.length,
  agreedByFeedsmith,
  agreedByField,
  disagreements,
  exclusions,
};
process.stdout.write(`${JSON.stringify(report)}\n`);

/** In seconds of processor time, so that what else runs on the machine counts little. */
function timed(file: FeedFile): { facts: ReturnType<typeof ourFacts>; seconds: number } {
  const started = process.cpuUsage();
  let facts: ReturnType<typeof ourFacts> = null;
  try {
    facts = ourFacts(file);
  } catch {
    crashed.push(file.path);
  }
  const { user, system } = process.cpuUsage(started);
  return { facts, seconds: (user + system) / 1e6 };
}
