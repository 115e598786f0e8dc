import { setTimeout as delay } from 'node:timers/promises';

import { send } from '../../../apps/server/test/accounts-stage.ts';

/** A credential that is accepted until it is revoked. */
export interface Revocable {
  /** Answered 200 until the end. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly revoke: () => Promise<unknown>;
}

export interface RevocationOutcome {
  /** How long after the response that confirmed the end some process still accepted it. */
  readonly lastAcceptedMs: number;
  /** Times that a process accepted it after having refused it. */
  readonly resurrected: number;
}

/** Sends requests to all processes without a pause, revokes once each has accepted it, and continues. */
export async function watchRevocation(
  ports: readonly number[],
  { path, headers, revoke }: Revocable,
  { beforeMs, afterMs }: { readonly beforeMs: number; readonly afterMs: number },
): Promise<RevocationOutcome> {
  const lastAccepted = ports.map(() => 0);
  const refused = ports.map(() => false);
  let resurrected = 0;
  const watching = new AbortController();
  const watch = async (port: number, index: number): Promise<void> => {
    while (!watching.signal.aborted) {
      const { status } = await send(port, path, { headers });
      if (status === 200) {
        if (refused[index] === true) resurrected += 1;
        lastAccepted[index] = performance.now();
        // Before the first acceptance, a process may not know the credential yet.
      } else refused[index] = (lastAccepted[index] ?? 0) > 0;
      await delay(2);
    }
  };
  const watchers = ports.map(watch);
  let revokedAt = 0;
  try {
    await untilAccepted(() => lastAccepted.every((at) => at > 0), path);
    await delay(beforeMs);
    await revoke();
    revokedAt = performance.now();
    await delay(afterMs);
  } finally {
    watching.abort();
    await Promise.all(watchers);
  }
  return { lastAcceptedMs: Math.max(0, ...lastAccepted.map((at) => at - revokedAt)), resurrected };
}

async function untilAccepted(byAll: () => boolean, path: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!byAll()) {
    if (performance.now() > deadline) throw new Error(`${path}: a process never accepted it`);
    await delay(5);
  }
}
