import { randomBytes } from 'node:crypto';

import type { Database } from '../../foundation/database/database.ts';
import { findTakenUsernames } from './account-store.ts';
import type { Username } from './account.ts';
import { parseNewUsername, usernameVariant } from './account.ts';

/** The valid username closest to the text; null if too few characters remain. */
export function usernameFrom(text: string): Username | null {
  const [before = ''] = text.split('@');
  const plain = before.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const shaped = plain.replace(/[^a-z0-9_-]+/g, '-').replace(/^[_-]+/, '');
  const parsed = parseNewUsername(shaped.slice(0, 32).replace(/[_-]+$/, ''));
  return parsed.ok ? parsed.value : null;
}

const numbersMax = 9;

/**
 * A free username from the first usable text: the entered username, the e-mail address or the name. It depends only on
 * the texts and on taken usernames, so it does not reveal whether an e-mail address has an account.
 */
export async function proposeUsername(database: Database, texts: readonly string[]): Promise<Username> {
  const bases = texts.map(usernameFrom).filter((base) => base !== null);
  if (bases.length === 0) bases.push('member' as Username);
  const candidates = [...bases, ...bases.flatMap(numbered)];
  const taken = await findTakenUsernames(database, candidates);
  const free = candidates.find((candidate) => !taken.has(candidate));
  return free ?? usernameVariant(bases[0] as Username, randomBytes);
}

function numbered(base: Username): readonly Username[] {
  return Array.from(
    { length: numbersMax - 1 },
    (_, index) => `${base.slice(0, 30).replace(/[_-]+$/, '')}-${index + 2}` as Username,
  );
}
