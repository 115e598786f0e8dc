import type { FastifyReply, FastifyRequest } from 'fastify';

import type { ProblemError } from '../../../foundation/problem.ts';
import type { accounts } from '../../../identity/index.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { field } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalTools } from '../console-route.ts';
import { admitVisitor, deviceOf } from '../visitor.ts';

export function usernameField(
  value: string,
  problem: ProblemError | null,
  { required = true }: { readonly required?: boolean } = {},
): string {
  const rule = say(
    '3–32 lowercase letters, digits, - or _. The username is part of URLs and cannot be changed.',
  );
  const hint = required ? rule : `${rule} ${say('Leave empty to get a suggestion.')}`;
  return field({
    name: 'username',
    label: say('Username'),
    hint,
    value,
    autocomplete: 'off',
    maxLength: 32,
    required,
    problem,
  });
}

/** Signs this browser in to a new account. */
export async function openFirstSession(
  { identity }: PersonalTools,
  request: FastifyRequest,
  reply: FastifyReply,
  accountId: accounts.AccountId,
): Promise<void> {
  const client = credentials.clientOf(request);
  const device = deviceOf(identity, request);
  const session = await useCases.openBrowserSession(identity, {
    accountId,
    client,
    device,
    method: 'sign_up',
  });
  await admitVisitor(identity, request, reply, session);
}
