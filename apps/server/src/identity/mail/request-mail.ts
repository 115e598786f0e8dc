import type { Transaction } from 'kysely';

import type { Clock } from '../../foundation/clock.ts';
import type { DB } from '../../foundation/database/generated/database-types.ts';
import type { EngineClient } from '../../foundation/engine/engine-client.ts';
import type { WorkflowDeclaration } from '../../foundation/engine/engine-declarations.ts';
import type { IdSource } from '../../foundation/ids.ts';
import type { MailRequest } from './mail-request-store.ts';
import { insertMailRequest } from './mail-request-store.ts';

export interface MailInput {
  /** Only an id: the engine's tables contain neither addresses nor secrets. */
  readonly requestId: string;
}

/** Declares the name and the queue for processes that request mail; workers run `createMailWorkflow`. */
export const mailWorkflow: WorkflowDeclaration<MailInput, void> = {
  name: 'identity-mail',
  queue: { name: 'identity-mail', runningPerProcessMax: 4, pollIntervalMs: 250 },
  run: async () => {
    throw new Error('this process hands mail over and sends none');
  },
};

export interface RequestMailDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly engine: Pick<EngineClient, 'enqueue'>;
}

/** Sends the mail if the caller's transaction commits. */
export async function requestMail(
  transaction: Transaction<DB>,
  { clock, ids, engine }: RequestMailDeps,
  mail: Omit<MailRequest, 'id'>,
): Promise<void> {
  const id = ids.next<'mail request'>();
  await insertMailRequest(transaction, { ...mail, id }, clock.now());
  await engine.enqueue(transaction, mailWorkflow, { id: `identity-mail:${id}`, input: { requestId: id } });
}
