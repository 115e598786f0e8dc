import type { VerifierKey } from '@daybook/client/log';
import { parseVerifierKey, TileTree, verifyCheckpoint } from '@daybook/client/log';
import { writeWitnessRequest } from '@daybook/client/log/witness';

import type { Database } from '../../foundation/database/database.ts';
import { backoffMs } from '../../foundation/database/transient-error.ts';
import type { Sweep } from '../../foundation/engine/engine-declarations.ts';
import type { Logger } from '../../foundation/logger.ts';
import type { SignedHead } from './log-store.ts';
import { addCosignature, readSignedHead } from './log-store.ts';
import { tilesOf } from './tile-store.ts';

/** A witness that the operator chose. */
export interface LogWitness {
  readonly key: VerifierKey;
  /** The address below which it serves `add-checkpoint`. */
  readonly url: string;
}

export interface CosignLogDeps {
  readonly database: Database;
  readonly witnesses: readonly LogWitness[];
  readonly logger: Logger;
}

const timeoutMs = 5_000;
const answerCharsMax = 10_000;

/**
 * Asks the witnesses to cosign the newest checkpoint and adds their signatures to it. The checkpoint is published before:
 * neither publications nor readers wait for a witness, and a witness that does not respond delays no other. Every worker
 * does this, since a repeated request is harmless.
 */
export function createLogCosigning(deps: CosignLogDeps): Sweep {
  const lines = deps.witnesses.map((witness) => new WitnessLine(deps, witness));
  return {
    name: 'cosign-log',
    everySeconds: 2,
    run: async ({ signal }) => {
      if (lines.length === 0) return;
      const head = await readSignedHead(deps.database);
      if (head === null) return;
      await Promise.all(lines.map((line) => line.work(head, signal)));
    },
  };
}

class WitnessLine {
  readonly #deps: CosignLogDeps;
  readonly #witness: LogWitness;
  /** The size of the checkpoint that it cosigned last. */
  #known = 0;
  #failures = 0;
  #pausedUntilMs = 0;

  constructor(deps: CosignLogDeps, witness: LogWitness) {
    this.#deps = deps;
    this.#witness = witness;
  }

  async work(head: SignedHead, signal: AbortSignal): Promise<void> {
    const { note } = head;
    if (performance.now() < this.#pausedUntilMs || note.includes(`\n\u{2014} ${this.#witness.key.name} `))
      return;
    try {
      const line = await this.#request(head, signal);
      await this.#check(head, line);
      await addCosignature(this.#deps.database, { note, line });
      this.#known = head.size;
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#pausedUntilMs = performance.now() + backoffMs(this.#failures);
      this.#deps.logger.warn(
        { witness: this.#witness.key.name, failures: this.#failures, error: String(error) },
        'a witness did not cosign the checkpoint of the public log; it is asked again',
      );
    }
  }

  async #request({ note, size: checkpointSize }: SignedHead, signal: AbortSignal): Promise<string> {
    const tree = new TileTree(checkpointSize, tilesOf(this.#deps.database));
    // The second attempt begins at the size that the witness stated.
    for (let attempt = 1; ; attempt += 1) {
      const old = Math.min(this.#known, checkpointSize);
      const proof = (await tree.consistencyProof(old)).map((hash) => Buffer.from(hash).toString('base64'));
      const answer = await fetch(`${this.#witness.url}/add-checkpoint`, {
        method: 'POST',
        body: writeWitnessRequest({ old, proof, note }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await readBounded(answer);
      if (answer.status === 200) return text;
      const size = answer.status === 409 && /^\d{1,15}\n$/u.test(text) ? Number(text) : null;
      if (size === null || attempt > 1) throw new Error(`it answered with ${answer.status}: ${text.trim()}`);
      if (size > checkpointSize)
        throw new Error(`it cosigned a checkpoint of ${size} entries, more than the log has`);
      this.#known = size;
    }
  }

  /** The signature must be one that readers accept. */
  async #check({ note, verifierKeys }: SignedHead, line: string): Promise<void> {
    const logKeys = (await Promise.all(verifierKeys.split('\n').map(parseVerifierKey))).filter(
      (key) => key !== null,
    );
    const verified = await verifyCheckpoint(`${note}${line}`, { logKeys, witnessKeys: [this.#witness.key] });
    const isOneLine = line.startsWith('\u{2014} ') && line.indexOf('\n') === line.length - 1;
    if (!isOneLine || (verified?.witnesses.length ?? 0) === 0) throw new Error('its signature is not valid');
  }
}

async function readBounded(answer: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > answerCharsMax) throw new Error('its answer is too long');
  }
  return text;
}
