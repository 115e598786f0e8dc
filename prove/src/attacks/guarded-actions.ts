import { randomUUID } from 'node:crypto';

import type { GuardedAction } from '../../../apps/server/src/identity/step-up/guarded-action.ts';

/** One form that requires a step-up. */
export interface GuardedForm {
  readonly action: GuardedAction;
  /** The page that shows the form. */
  readonly page: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The response of a successful action. */
  readonly done: number;
  readonly needsPassword?: boolean;
  /** Refused to an owner whose password alone signs in. */
  readonly needsSecondFactor?: boolean;
}

/** Of the provider whose identity `subject` opens the account, and of the organization that the account owns. */
export function guardedForms({
  issuer,
  subject,
  organizationKey,
}: {
  readonly issuer: string;
  readonly subject: string;
  readonly organizationKey: string;
}): readonly GuardedForm[] {
  const linked = new URLSearchParams({ issuer, subject }).toString();
  const at = (path: string) => ({ page: path, path, fields: {} });
  return [
    {
      action: 'add_passkey',
      ...at('/account/passkeys'),
      fields: { name: 'key' },
      done: 200,
    },
    {
      action: 'change_email',
      ...at('/account/email'),
      fields: { email: `${randomUUID()}@example.net` },
      done: 200,
    },
    { action: 'switch_off_password', ...at('/account/password/off'), done: 303, needsPassword: true },
    { action: 'export_account', ...at('/account/data/export'), page: '/account/data', done: 303 },
    { action: 'link_provider', ...at('/account/provider/link'), done: 200 },
    {
      action: 'unlink_provider',
      ...at('/account/provider/unlink'),
      page: `/account/provider/unlink?${linked}`,
      fields: { issuer, subject },
      done: 303,
    },
    { action: 'create_api_key', ...at('/account/api-keys'), fields: { name: 'key' }, done: 200 },
    { action: 'end_everything', ...at('/account/security/end-all'), done: 200 },
    {
      action: 'require_second_factor',
      ...at(`/platform/${organizationKey}/require-second-factor`),
      done: 303,
      needsSecondFactor: true,
    },
    {
      action: 'stop_requiring_second_factor',
      ...at(`/platform/${organizationKey}/stop-requiring-second-factor`),
      done: 303,
    },
    { action: 'delete_organization', ...at(`/platform/${organizationKey}/delete`), done: 200 },
    { action: 'delete_account', ...at('/account/data/delete'), done: 200 },
  ];
}
