import { setImmediate } from 'node:timers/promises';

import { gramsOfText } from '../../foundation/search-text.ts';

const pieceChars = 32_768;

/** The grams of a long text, computed in pieces so that the process can do other work in between. */
export async function gramsInPieces(folded: string): Promise<readonly number[]> {
  const grams = new Set<number>();
  for (let start = 0; start < folded.length;) {
    const end = endOfPiece(folded, start + pieceChars);
    for (const gram of gramsOfText(folded.slice(start, end))) grams.add(gram);
    start = end;
    await setImmediate();
  }
  return [...grams].sort((one, other) => one - other);
}

/** At white space: no gram spans it. */
function endOfPiece(folded: string, from: number): number {
  const space = /\s/gu;
  space.lastIndex = from;
  return space.exec(folded)?.index ?? folded.length;
}
