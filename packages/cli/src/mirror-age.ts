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
