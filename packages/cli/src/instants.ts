import type { CliHost } from './cli-host.ts';

interface Confirmed {
  /** When the server last confirmed the copy, in milliseconds since 1970. */
  readonly exactAt: number | null;
}

/** The age of a copy, as text and as fields. */
export function ageOf(
  { exactAt }: Confirmed,
  host: CliHost,
): { readonly text: string; readonly json: { readonly ageSeconds: number | null } } {
  if (exactAt === null) return { text: ', never confirmed by the server', json: { ageSeconds: null } };
  const ageMs = Math.max(0, host.nowMs() - exactAt);
  return {
    text: `, confirmed by the server ${ago(ageMs)} ago`,
    json: { ageSeconds: Math.round(ageMs / 1000) },
  };
}

export function ago(milliseconds: number): string {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 90) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** RFC 3339 of milliseconds since 1970. */
export function instant(milliseconds: number): string {
  // oxlint-disable-next-line no-restricted-globals -- writes an instant that was given; no clock is read
  return new Date(milliseconds).toISOString();
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90m`, `24h` and `7d` before now, a date in UTC, or an instant with its zone; null for anything else. */
export function parseSince(text: string, nowMs: number): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (unitMs[unit] ?? 0);
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)) return null;
  // oxlint-disable-next-line no-restricted-globals -- reads an instant that was given; no clock is read
  const instantMs = Date.parse(text);
  return Number.isNaN(instantMs) ? null : instantMs;
}
