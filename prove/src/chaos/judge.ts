import { createHash } from 'node:crypto';

import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { dueEditions } from '../editions/due-editions.ts';
import { MirrorCopy } from '../mirror/mirror-copy.ts';
import { httpMirrorSource } from '../mirror/mirror-source.ts';
import { ask } from '../news/http-question.ts';
import type { ChaosInstallation } from './installation.ts';
import { quotaBytes } from './installation.ts';
import type { Members } from './members.ts';

/** Offenders of each guarantee, by its name: none of them may have any. */
export type Offenders = Readonly<Record<string, readonly string[]>>;

export interface ChaosEvidence {
  readonly installation: ChaosInstallation;
  readonly members: Members;
  /** Of the mirror that followed through all faults. */
  readonly mirror: MirrorCopy;
  readonly calendar: { readonly from: EpochMicroseconds; readonly to: EpochMicroseconds };
}

/** After all faults, and after every article was published. */
export async function judgeChaos(evidence: ChaosEvidence): Promise<Offenders> {
  const { installation, members } = evidence;
  return {
    'uploads answered and lost': await lostFiles(installation, members),
    'folders answered and missing or doubled': await wrongFolders(installation, members),
    'account changes answered and lost': await lostKeys(installation, members),
    'decisions of editors answered and missing or doubled': await wrongDecisions(installation, members),
    'entries not published once': await wrongEntries(installation, members),
    'mirrors that differ at the end': await wrongMirrors(evidence),
    'reports missing or doubled': await wrongEditions(evidence),
    'mails of reports sent twice': doubledMails(installation),
    'quotas exceeded': await exceededQuotas(installation),
    'log leaves missing': await missingLeaves(installation),
    'commands `verify` that fail': await failedVerifications(installation),
  };
}

async function rowsOf<Row extends object>(
  { superuser }: ChaosInstallation,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await superuser.pool.query<Row>(text, [...values])).rows;
}

/** Each is downloaded again by its uploader. */
async function lostFiles({ edgePort }: ChaosInstallation, { accepted }: Members): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const [id, { hash, key }] of accepted.files) {
    const { status, text } = await ask(edgePort, {
      path: `/api/v1/files/${id}/content`,
      headers: { 'x-api-key': key },
    });
    if (status !== 200 || createHash('sha256').update(text).digest('hex') !== hash)
      lost.push(`${id}: ${status}`);
  }
  return lost;
}

async function wrongFolders(
  installation: ChaosInstallation,
  { accepted }: Members,
): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string; times: number }>(
    installation,
    `SELECT name, count(*)::int AS times FROM storage.entry WHERE kind = 'folder' GROUP BY name`,
  );
  const times = new Map(rows.map((row) => [row.name, row.times]));
  return accepted.folders.filter((name) => times.get(name) !== 1);
}

async function lostKeys(installation: ChaosInstallation, { accepted }: Members): Promise<readonly string[]> {
  const rows = await rowsOf<{ id: string; revoked: boolean }>(
    installation,
    'SELECT id, revoked_at IS NOT NULL AS revoked FROM identity.api_key',
  );
  const revoked = new Map(rows.map((row) => [row.id, row.revoked]));
  return [...accepted.keys]
    .filter(([id, state]) => !revoked.has(id) || (state === 'revoked' && revoked.get(id) === false))
    .map(([id, state]) => `${id}: ${state}`);
}

/**
 * Each item was decided about once, so its journal has one entry of an editor. Of a reading group one item is selected,
 * so a later selection in the group ends an earlier one.
 */
async function wrongDecisions(
  installation: ChaosInstallation,
  { accepted }: Members,
): Promise<readonly string[]> {
  const rows = await rowsOf<{
    id: string;
    times: number;
    withdrawn: boolean;
    selected: boolean;
    replaced: boolean;
  }>(
    installation,
    `SELECT item.id, item.withdrawn_at IS NOT NULL AS withdrawn, item.selected,
       EXISTS (SELECT FROM record.item AS other
         WHERE other.group_id = item.group_id AND other.id <> item.id AND other.selected) AS replaced,
       (SELECT count(*)::int FROM newsroom.journal_entry AS entry
        WHERE entry.subject = item.id::text AND entry.account_id IS NOT NULL) AS times
     FROM record.item`,
  );
  const states = new Map(rows.map((row) => [row.id, row]));
  return accepted.decisions
    .filter(({ itemId, action }) => {
      const state = states.get(itemId);
      const isSo =
        action === 'withdraw'
          ? state?.withdrawn
          : state?.selected === (action === 'select') || (action === 'select' && state?.replaced === true);
      return state?.times !== 1 || isSo !== true;
    })
    .map(({ itemId, action }) => `${itemId}: ${action}: ${JSON.stringify(states.get(itemId))}`);
}

/** A withdrawal removes the address of an item. */
async function wrongEntries(
  installation: ChaosInstallation,
  { withdrawalsSent }: Members,
): Promise<readonly string[]> {
  const rows = await rowsOf<{ url: string; times: number }>(
    installation,
    `SELECT original_url AS url, count(*)::int AS times FROM record.item WHERE withdrawn_at IS NULL GROUP BY 1`,
  );
  const times = new Map(rows.map((row) => [row.url, row.times]));
  return installation.wire.urls
    .filter((url) => times.get(url) !== 1 && !(withdrawalsSent.has(url) && !times.has(url)))
    .map((url) => `${url}: ${times.get(url) ?? 0} items`);
}

/** One that followed through all faults, and one that begins now, against the set of the ledger. */
async function wrongMirrors({ installation, mirror }: ChaosEvidence): Promise<readonly string[]> {
  const source = httpMirrorSource(`http://127.0.0.1:${installation.edgePort}`);
  const [head] = await rowsOf<{ size: number; hash: string }>(
    installation,
    'SELECT set_size::int AS size, set_hash::text AS hash FROM record.ledger_head',
  );
  const set = {
    version: 1,
    size: head?.size ?? -1,
    hash: BigInt(head?.hash ?? 0)
      .toString(16)
      .padStart(64, '0'),
  };
  const wrong: string[] = [];
  for (const [name, copy] of [
    ['the one that followed', mirror],
    ['a new one', new MirrorCopy()],
  ] as const) {
    while ((await copy.readPage(source, () => 0.99)) === null);
    if (!copy.agrees(set)) wrong.push(`${name}: ${copy.items.size} items, not ${set.size}`);
  }
  return wrong;
}

async function wrongEditions({ installation, calendar }: ChaosEvidence): Promise<readonly string[]> {
  const rows = await rowsOf<{ key: string; times: number }>(
    installation,
    `SELECT kind || ' ' || period AS key, count(*)::int AS times FROM record.edition_revision WHERE revision = 1 GROUP BY 1`,
  );
  const times = new Map(rows.map((row) => [row.key, row.times]));
  const due = dueEditions(calendar).map(({ key }) => key);
  const missing = due.filter((key) => !times.has(key)).map((key) => `${key}: missing`);
  const wrong = rows.filter((row) => row.times !== 1).map(({ key, times: count }) => `${key}: ${count}`);
  return [...missing, ...wrong];
}

function doubledMails({ mails }: ChaosInstallation): readonly string[] {
  const times = Map.groupBy(mails, ({ to, subject }) => `${to}: ${subject}`);
  // Mails to confirm an address are sent again after a lost connection; reports never are.
  return [...times]
    .filter(([key, list]) => /: Daybook (?:daily|weekly) /.test(key) && list.length > 1)
    .map(([key]) => key);
}

async function exceededQuotas(installation: ChaosInstallation): Promise<readonly string[]> {
  const rows = await rowsOf<{ key: string; bytes: number; used: number; reserved: number }>(
    installation,
    `SELECT organization.key, coalesce(sum(blob.size), 0)::float8 AS bytes,
       max(usage.used_bytes)::float8 AS used, max(usage.reserved_bytes)::float8 AS reserved
     FROM storage.usage JOIN identity.organization ON organization.id = usage.organization_id
     LEFT JOIN storage.project ON project.organization_id = organization.id
     LEFT JOIN storage.version ON version.project_id = project.id
     LEFT JOIN storage.blob ON blob.key = version.blob_key
     WHERE organization.key = 'attic' GROUP BY 1`,
  );
  return rows
    .filter(({ bytes, used, reserved }) => bytes > quotaBytes || used + reserved > quotaBytes || bytes > used)
    .map((row) => JSON.stringify(row));
}

/**
 * Publishing goes on, so the newest changes may still wait: for their place as long as a worker needs to take over from
 * another one, for its signature up to a minute longer.
 */
async function missingLeaves(installation: ChaosInstallation): Promise<readonly string[]> {
  const rows = await rowsOf<{ entry: string }>(
    installation,
    `SELECT entry.entry::text FROM record.log_entry AS entry, record.log_head AS head
     WHERE entry.decided_at < clock_timestamp() - interval '30 seconds' AND entry.leaf_index IS NULL
       OR entry.decided_at < clock_timestamp() - interval '90 seconds'
         AND entry.leaf_index >= head.checkpoint_size`,
  );
  const [row] = await rowsOf<{ gaps: number }>(
    installation,
    'SELECT (max(leaf_index) + 1 - count(DISTINCT leaf_index))::int AS gaps FROM record.log_entry',
  );
  const gaps = row?.gaps === 0 ? [] : [`${row?.gaps} places without an entry`];
  return [...rows.map(({ entry }) => `entry ${entry}`), ...gaps];
}

async function failedVerifications({ run }: ChaosInstallation): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const part of ['record', 'newsroom', 'storage'])
    await run(part, 'verify').catch((error: unknown) => failed.push(String(error).slice(0, 2_000)));
  return failed;
}
