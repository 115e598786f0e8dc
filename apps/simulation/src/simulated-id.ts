import { createHash } from 'node:crypto';

import { parseId } from '../../server/src/foundation/ids.ts';
import type { Id } from '../../server/src/foundation/ids.ts';

/** The same UUIDv7 for the same object in every run, so that a replay can be interrupted and resumed. */
export function simulatedId<Kind extends string>(kind: Kind, key: string, atMs: number): Id<Kind> {
  const time = Math.floor(atMs).toString(16).padStart(12, '0');
  const tail = createHash('sha256').update(`${kind} ${key}`).digest('hex');
  const text = `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(6, 18)}`;
  const parsed = parseId<Kind>(text);
  if (!parsed.ok) throw new Error(`not an id: ${text}`);
  return parsed.value;
}
