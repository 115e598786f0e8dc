import { seededRandom } from '@daybook/evidence';

import type { StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';

const wrongPassword = 'a guess of the stranger';
const guessesPerVisit = 6;

/** An e-mail address of an account, and one without an account that is guessed at in the same way. */
export interface Pair {
  readonly known: string;
  readonly unknown: string;
}

interface Side {
  readonly checkedMs: number[];
  readonly refusedMs: number[];
}

/** Sends from so many networks, one address in each. */
export interface Stranger {
  /** Response times of the two halves of pairs. */
  readonly known: Side;
  readonly unknown: Side;
  readonly guess: (email: string) => Promise<void>;
  readonly guessAtPair: (pair: Pair) => Promise<void>;
  /** With the right password: guesses at the one-time code. */
  readonly guessCodes: (account: StageAccount) => Promise<void>;
  /** Guesses that the answers say were checked, by address. */
  readonly checked: Map<string, number>;
  readonly sent: () => number;
  /** Guesses at pairs with different responses. */
  readonly differences: () => number;
}

interface Answer {
  readonly code: string;
  /** Without the request id. */
  readonly body: string;
  readonly ms: number;
}

export function createStranger(port: number, networks: number): Stranger {
  const random = seededRandom(5);
  const [known, unknown]: [Side, Side] = [emptySide(), emptySide()];
  const checked = new Map<string, number>();
  let [sent, differences] = [0, 0];
  const ask = async (email: string, json: object): Promise<Answer> => {
    sent += 1;
    const from = `198.18.${sent % networks}.1`;
    const startMs = performance.now();
    const { text } = await send(port, '/api/auth/token', { json: { email, ...json }, from });
    const ms = performance.now() - startMs;
    const { requestId: _, ...problem } = JSON.parse(text) as Record<string, unknown>;
    const code = String(problem['code']);
    if (code === 'rate_limited') throw new Error('the stranger sends more than its networks allow');
    if (code !== 'account_locked') checked.set(email, (checked.get(email) ?? 0) + 1);
    return { code, body: JSON.stringify(problem), ms };
  };
  const guessAs = async (email: string, { checkedMs, refusedMs }: Side): Promise<string> => {
    const { code, body, ms } = await ask(email, { password: wrongPassword });
    (code === 'account_locked' ? refusedMs : checkedMs).push(ms);
    return body;
  };
  return {
    known,
    unknown,
    checked,
    sent: () => sent,
    differences: () => differences,
    guess: async (email) => {
      for (let one = 0; one < guessesPerVisit; one += 1) await ask(email, { password: wrongPassword });
    },
    guessAtPair: async (pair) => {
      for (let one = 0; one < guessesPerVisit; one += 1) {
        const knownFirst = random() < 0.5;
        const first = knownFirst ? await guessAs(pair.known, known) : await guessAs(pair.unknown, unknown);
        const second = knownFirst ? await guessAs(pair.unknown, unknown) : await guessAs(pair.known, known);
        if (first !== second) differences += 1;
      }
    },
    guessCodes: async ({ email, password }) => {
      for (let one = 0; one < guessesPerVisit; one += 1)
        await ask(email, { password, one_time_code: String(sent % 1_000_000).padStart(6, '0') });
    },
  };
}

function emptySide(): Side {
  return { checkedMs: [], refusedMs: [] };
}
