import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity } from '../../../test/identity.ts';
import type { WorkflowContext } from '../../foundation/engine/engine-declarations.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import { updateEmail } from '../accounts/account-store.ts';
import { insertMailRequest } from '../mail/mail-request-store.ts';
import { createMailWorkflow } from './mail-workflow.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

test('creates no password link for a previous address of the account', async () => {
  const { database, clock, ids } = stage.identity;
  const account = await stage.createAccount();
  const sent: string[] = [];
  const sendMail = async ({ to }: { readonly to: string }): Promise<void> => {
    sent.push(to);
  };
  const workflow = createMailWorkflow({ database, clock, authUrl: 'https://d.example', sendMail });
  const context = { step: (_name: string, work: () => unknown) => work() } as unknown as WorkflowContext;
  const send = async (recipient: string): Promise<void> => {
    const id = ids.next<'mail request'>();
    const request = { id, kind: 'reset_password', recipient, subjectId: account.id } as const;
    await insertMailRequest(database, request, clock.now());
    await workflow.run(context, { requestId: id });
  };
  await send(account.email.replace('member', 'MEMBER'));
  await updateEmail(database, account.id, requireEmailAddress('new@example.net'));
  await send(account.email);
  await send('new@example.net');
  expect(sent).toEqual([account.email.replace('member', 'MEMBER'), 'new@example.net']);
  const links = await stage.database.asSuperuser(
    'SELECT hash FROM identity.mailed_token WHERE subject_id = $1',
    [account.id],
  );
  expect(links).toHaveLength(2);
});
