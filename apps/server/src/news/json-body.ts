import type { BuiltBody } from '../foundation/cache/representation.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { isoMilliseconds } from '../foundation/instant.ts';

export const jsonContentType = 'application/json; charset=utf-8';

export function jsonBody(body: string | Buffer): BuiltBody {
  return { status: 200, contentType: jsonContentType, body };
}

export function formatInstant(instant: EpochMicroseconds): string;
export function formatInstant(instant: EpochMicroseconds | null): string | null;
export function formatInstant(instant: EpochMicroseconds | null): string | null {
  return instant === null ? null : isoMilliseconds(instant);
}
