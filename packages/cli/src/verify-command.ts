import { existsSync, readFileSync } from 'node:fs';

import type { NewsClient } from '@daybook/client';
import type { VerifiedCheckpoint, VerifierKey } from '@daybook/client/log';
import { parseVerifierKey } from '@daybook/client/log';
import type { ProofFault, ProvenEntry, RecordProof } from '@daybook/client/log/proof';
import { differingFields, verifyProof } from '@daybook/client/log/proof';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';
import { instant } from './instants.ts';
import { checkDigests, digestLines } from './verify-digest.ts';

type Kind = 'item' | 'story' | 'correction' | 'daily' | 'weekly' | 'monthly';

/** Something published, at a server. */
interface Subject {
  readonly kind: Kind;
  readonly id: string;
}

interface Wanted {
  readonly proof: RecordProof;
  /** Null for a file: it proves what it names. */
  readonly subject: Subject | null;
  readonly server: string;
  /** The item as the server shows it. */
  readonly shown: unknown;
}

/** Checks a proof without trust in the server: signature, place in the log, and content. */
export async function verify(line: CommandLine, host: CliHost): Promise<void> {
  const [target, ...more] = line.words;
  if (target === undefined || more.length > 0)
    throw new CliError('usage', 'use daybook verify <url|id|file>');
  const wanted = existsSync(target) ? readProofFile(target, line) : await requestProof(target, line, host);
  const keys = await readKeys(wanted.server, line, host);
  const verified = await verifyProof(wanted.proof, {
    ...keys,
    ...(wanted.subject === null ? {} : { subject: wanted.subject }),
  });
  if (!verified.ok) throw new CliError('different', faults[verified.fault]);
  const differing = wanted.shown === null ? [] : shownOtherwise(wanted.proof.body, wanted.shown);
  if (differing.length > 0)
    throw new CliError('different', `the content differs from the log in: ${differing.join(', ')}`);
  const { entry, content, signed } = verified;
  requireWitnesses(keys.witnessKeys, signed);
  const { origin, size } = signed.checkpoint;
  const { witnesses } = signed;
  const { leafIndex } = wanted.proof;
  const digest = line.digest ? checkDigests(entry.kind, wanted.proof.body) : null;
  if (line.json)
    host.print(
      JSON.stringify({
        verified: true,
        entry,
        content,
        leafIndex,
        origin,
        treeSize: size,
        witnesses,
        ...(digest !== null && { digest }),
      }),
    );
  else
    for (const text of [
      ...summaryOf(entry, leafIndex, { origin, size }),
      ...witnesses.map(({ name, seconds }) => `Cosigned by ${name} at ${instant(seconds * 1_000)}.`),
      ...(content === 'erased' ? [erasedText] : []),
      ...(digest === null ? [] : digestLines(digest)),
    ])
      host.print(text);
  const unsupported = digest?.filter(({ findings }) => findings === null || findings.length > 0).length ?? 0;
  if (unsupported > 0)
    throw new CliError('different', `the quotations do not support ${unsupported} of the sentences`);
}

const erasedText =
  'Its text was deleted later because of a withdrawal or correction, so the proof contains no content.';

/** A reader who names a witness relies on its signature. */
function requireWitnesses(keys: readonly VerifierKey[], { witnesses }: VerifiedCheckpoint): void {
  const missing = keys.filter((key) => !witnesses.some(({ name }) => name === key.name));
  if (missing.length > 0)
    throw new CliError(
      'different',
      `not cosigned by ${[...new Set(missing.map(({ name }) => name))].join(', ')}; retry after a minute`,
    );
}

const faults: Readonly<Record<ProofFault, string>> = {
  malformed: 'this is not a proof of a public log',
  other_subject: 'the server sent the proof of other content',
  unsigned_checkpoint: 'the checkpoint is not signed with a given key of the log',
  not_included: 'the entry is not in the log of the signed checkpoint',
  other_content: 'the content differs from the entry in the log',
  not_continued: 'the log does not continue the checkpoint that was saved here',
};

/** The server words reasons in the language of the reader. */
function shownOtherwise(body: unknown, shown: unknown): readonly string[] {
  return differingFields(body, shown).filter((field) => field !== 'reason');
}

function summaryOf(
  { kind, id, action, revision, at }: ProvenEntry,
  leafIndex: number,
  { origin, size }: { readonly origin: string; readonly size: number },
): readonly string[] {
  return [
    `Verified: ${kind} ${id}, ${action} at ${at} (revision ${revision}).`,
    `Entry ${leafIndex} of ${origin}, in a signed checkpoint of ${size} entries.`,
  ];
}

function readProofFile(path: string, line: CommandLine): Wanted {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new CliError('usage', `${path} is not valid JSON`);
  }
  const { proof = parsed } = (parsed ?? {}) as { readonly proof?: unknown };
  return { proof: proof as RecordProof, subject: null, server: line.server, shown: null };
}

async function requestProof(target: string, line: CommandLine, host: CliHost): Promise<Wanted> {
  const address = /^https?:/.test(target) ? URL.parse(target) : null;
  const server = address?.origin ?? line.server;
  const subject = address === null ? subjectOfId(target, line) : subjectOfPath(address.pathname);
  if (subject === null)
    throw new CliError(
      'usage',
      `${target} is not an item, a story, a report or a correction, and no such file exists`,
    );
  const client = clientOf({ ...line, server }, host);
  const { proof } = required(await proofCalls[subject.kind](client, subject.id));
  const isShown = subject.kind === 'item' && proof.entry.action !== 'withdrawn';
  const shown = isShown ? required(await client.getItem({ id: subject.id })).item : null;
  return { proof, subject, server, shown };
}

const proofCalls: Readonly<
  Record<Kind, (client: NewsClient, id: string) => ReturnType<NewsClient['getItemProof']>>
> = {
  item: (client, id) => client.getItemProof({ id }),
  story: (client, publicId) => client.getStoryProof({ publicId }),
  correction: (client, id) => client.getCorrectionProof({ id }),
  daily: (client, date) => client.getDailyProof({ date }),
  weekly: (client, week) => client.getWeeklyProof({ week }),
  monthly: (client, month) => client.getMonthlyProof({ month }),
};

/** An id without a kind is that of an item, with --digest of a story; reports are known by their period. */
function subjectOfId(id: string, { digest }: CommandLine): Subject | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(id)) return { kind: 'daily', id };
  if (/^\d{4}-W\d{2}$/.test(id)) return { kind: 'weekly', id };
  if (/^\d{4}-\d{2}$/.test(id)) return { kind: 'monthly', id };
  return /^[\da-f-]{36}$/.test(id) ? { kind: digest ? 'story' : 'item', id } : null;
}

const kindsInPaths: Readonly<Record<string, Kind>> = {
  items: 'item',
  story: 'story',
  stories: 'story',
  corrections: 'correction',
  daily: 'daily',
  dailies: 'daily',
  weekly: 'weekly',
  weeklies: 'weekly',
  monthly: 'monthly',
  monthlies: 'monthly',
};

/** Of a page or of the API, with the prefix of a language or without. */
function subjectOfPath(path: string): Subject | null {
  const [, folder = '', id = ''] = /\/([a-z]+)\/([\w-]+)(?:\/proof)?\/?$/.exec(path) ?? [];
  const kind = kindsInPaths[folder];
  return kind === undefined ? null : { kind, id };
}

interface Keys {
  readonly logKeys: readonly VerifierKey[];
  readonly witnessKeys: readonly VerifierKey[];
}

/** The given keys; those of the server only if none of a log is given. */
async function readKeys(server: string, line: CommandLine, host: CliHost): Promise<Keys> {
  const given = await parseKeys(line.key ?? '');
  const witnessKeys = given.filter(({ kind }) => kind === 'witness');
  let logKeys: readonly VerifierKey[] = given.filter(({ kind }) => kind === 'log');
  if (logKeys.length === 0 && (line.key === null || witnessKeys.length > 0)) {
    host.say(`Using the keys of ${server}/log/keys. Save them and pass --key to detect another key later.`);
    logKeys = await parseKeys(await fetchKeys(server, host));
  }
  if (logKeys.length === 0) throw new CliError('usage', 'no valid log key; pass one with --key');
  return { logKeys, witnessKeys };
}

async function parseKeys(text: string): Promise<readonly VerifierKey[]> {
  const keys = await Promise.all(text.split(/\s+/).map(parseVerifierKey));
  return keys.filter((key) => key !== null);
}

const keysCharsMax = 20_000;

async function fetchKeys(server: string, host: CliHost): Promise<string> {
  const answer = await host.fetch(`${server}/log/keys`);
  if (!answer.ok) throw new CliError('failed', `${server}/log/keys returned status ${answer.status}`);
  return (await answer.text()).slice(0, keysCharsMax);
}
