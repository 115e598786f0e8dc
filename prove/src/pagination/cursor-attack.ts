import { randomBytes } from 'node:crypto';

import { createCursorKeys } from '../../../apps/server/src/foundation/pagination/cursor-keys.ts';
import type { PageList } from '../../../apps/server/src/foundation/pagination/page-cursor.ts';
import { readPageRequest } from '../../../apps/server/src/foundation/pagination/page-request.ts';
import { ProblemError } from '../../../apps/server/src/foundation/problem.ts';

export interface AttackTally {
  tampered: number;
  truncated: number;
  foreign: number;
  /** Read, or refused otherwise than with 400 `invalid_cursor`. */
  accepted: number;
}

/** Every byte with every other value, every shorter and some longer texts, every other list it could be carried to. */
export function attackCursor<RowId>(list: PageList<RowId>, cursor: string, tally: AttackTally): void {
  const attempt = (kind: 'tampered' | 'truncated' | 'foreign', text: string, target = list): void => {
    tally[kind] += 1;
    if (!isRefused(target, text)) tally.accepted += 1;
  };
  const bytes = Buffer.from(cursor, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    for (let difference = 1; difference < 256; difference += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ difference;
      attempt('tampered', changed.toString('base64url'));
    }
  }
  for (let length = 0; length < cursor.length; length += 1) {
    attempt('truncated', cursor.slice(0, length));
    attempt('truncated', cursor.slice(cursor.length - length));
  }
  for (const text of [`${cursor}A`, `${cursor}=`, cursor + cursor]) attempt('tampered', text);
  const lists: readonly PageList<RowId>[] = [
    { ...list, tenant: `${list.tenant}2` },
    { ...list, tenant: '' },
    { ...list, route: `${list.route}2` },
    { ...list, route: list.tenant, tenant: list.route },
    { ...list, filters: null },
    { ...list, filters: { q: 'a' } },
    { ...list, filters: { q: null, category: null } },
    { ...list, keys: createCursorKeys([randomBytes(32)]) },
  ];
  for (const other of lists) attempt('foreign', cursor, other);
}

function isRefused<RowId>(list: PageList<RowId>, cursor: string): boolean {
  try {
    readPageRequest({ cursor }, list);
    return false;
  } catch (error) {
    return error instanceof ProblemError && error.definition.code === 'invalid_cursor';
  }
}
