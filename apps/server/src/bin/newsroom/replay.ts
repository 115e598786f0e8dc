import { readConfig } from '../../config/config.ts';
import type { Id } from '../../foundation/ids.ts';
import { parseId } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { isoMicroseconds, parseIsoDatetime } from '../../foundation/instant.ts';
import { replayEdition, replayPublishedRanking } from '../../wiring/newsroom.ts';
import { printResult } from '../command-line.ts';

const replayKinds = ['daily', 'weekly', 'monthly', 'ranking'] as const;
type ReplayKind = (typeof replayKinds)[number];

export function isReplayKind(kind: string | undefined): kind is ReplayKind {
  return replayKinds.some((one) => one === kind);
}

interface ReplayResult {
  /** The requested id or time, for programs. */
  readonly subject: Readonly<Record<string, string>>;
  readonly outcome: keyof typeof outcomeTexts;
  readonly hash: string | null;
  readonly release?: string | null;
}

const outcomeTexts = {
  same: 'identical',
  redacted: 'same items in the same order; an input has since been withdrawn',
  different: 'the regenerated document is different',
  'other rules': 'generated with other rules or names than the current ones',
  'not stored': 'not found, or its inputs were not stored',
};

/** The exit code is 1 where the bytes differ. */
export async function replay(kind: ReplayKind, name: string, json: boolean): Promise<void> {
  const { subject, ...result } = await (kind === 'ranking' ? replayOneRanking(name) : replayOne(kind, name));
  const { outcome, hash, release } = result;
  const detail = hash === null ? releaseToRun(release) : `, SHA-256 ${hash}`;
  printResult(json, { ...subject, ...result }, [
    `${Object.values(subject).join(' ')}: ${outcomeTexts[outcome]}${detail}`,
  ]);
  if (outcome !== 'same' && outcome !== 'redacted') process.exitCode = 1;
}

function releaseToRun(release: string | null | undefined): string {
  return release === null || release === undefined ? '' : `; run release ${release} to regenerate it`;
}

async function replayOne(kind: Exclude<ReplayKind, 'ranking'>, period: string): Promise<ReplayResult> {
  return { subject: { kind, period }, ...(await replayEdition(readConfig(process.env), { kind, period })) };
}

async function replayOneRanking(name: string): Promise<ReplayResult> {
  const which = rankingNamed(name);
  const made = await replayPublishedRanking(readConfig(process.env), which);
  if (made === null) return { subject: { kind: 'ranking', name }, outcome: 'not stored', hash: null };
  const { rankedAt, outcome, hash } = made;
  return { subject: { kind: 'ranking', rankedAt: isoMicroseconds(rankedAt) }, outcome, hash };
}

function rankingNamed(name: string): Id<'ranking'> | EpochMicroseconds {
  const id = parseId<'ranking'>(name);
  if (id.ok) return id.value;
  const at = parseIsoDatetime(name);
  if (at.ok) return at.value;
  throw new Error(`${name} is neither an id nor a time. Use a time such as 2026-11-15T08:05:00Z.`);
}
