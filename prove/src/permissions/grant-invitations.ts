import type { EmailAddress } from '../../../apps/server/src/foundation/mail/email-address.ts';
import { parseEmailAddress } from '../../../apps/server/src/foundation/mail/email-address.ts';
import type { Username } from '../../../apps/server/src/identity/accounts/account.ts';
import { insertSignUp } from '../../../apps/server/src/identity/accounts/sign-up-store.ts';
import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { InvitationId } from '../../../apps/server/src/identity/organizations/invitation-store.ts';
import type { AccountsStage, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import { newcomer } from './grant-draw.ts';
import type { Acceptance, GrantActor } from './grant-world.ts';

interface Links {
  readonly id: string;
  readonly join: string;
  readonly confirm: readonly [string, string];
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** A browser in which the account is signed in. */
export async function signInForCookie(
  port: number,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const answer = await send(port, '/auth/signin', { form: { email, password }, headers: sameOrigin });
  if (answer.status !== 303) throw new Error(answer.text);
  return answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** The links that mail would carry: one to join by, and those of two sign-ups that were asked for through it. */
export class GrantInvitations {
  readonly #stage: AccountsStage;
  readonly #links = new Map<string, Links>();

  constructor(stage: AccountsStage) {
    this.#stage = stage;
  }

  async sent(mark: string, id: string): Promise<void> {
    const join = await this.#linkTo('join_organization', id);
    const confirm: [string, string] = [await this.#signUp(mark, id, 0), await this.#signUp(mark, id, 1)];
    this.#links.set(mark, { id, join, confirm });
  }

  idOf(mark: string): string {
    return this.#of(mark).id;
  }

  marksById(): ReadonlyMap<string, string> {
    return new Map([...this.#links].map(([mark, { id }]) => [id, mark]));
  }

  accept(port: number, { cookie }: GrantActor, step: Acceptance, mark: string): Promise<StageAnswer> {
    const { join, confirm } = this.#of(step.invitation);
    const headers = { ...sameOrigin, 'user-agent': mark, ...(cookie !== undefined && { cookie }) };
    return step.by === 'account'
      ? send(port, '/auth/join', { form: { token: join }, headers })
      : send(port, '/auth/confirm', { form: { token: confirm[step.by] }, headers });
  }

  #of(mark: string): Links {
    const links = this.#links.get(mark);
    if (links === undefined) throw new Error(`no invitation was sent as ${mark}`);
    return links;
  }

  #linkTo(purpose: 'join_organization' | 'confirm_sign_up', id: string): Promise<string> {
    const { database, clock } = this.#stage.identity;
    return createMailedToken(database, purpose, id, clock.now());
  }

  async #signUp(mark: string, invitation: string, by: 0 | 1): Promise<string> {
    const { database, clock, ids } = this.#stage.identity;
    const [id, username] = [ids.next<'sign-up'>(), newcomer(mark, by) as Username];
    const email = parseEmailAddress(`${username}@example.org`);
    const asked = {
      id,
      username,
      email: (email.ok && email.value) as EmailAddress,
      name: 'Newcomer',
      passwordHash: 'nobody signs in with it',
      invitationId: invitation as InvitationId,
    };
    await insertSignUp(database, asked, clock.now());
    return this.#linkTo('confirm_sign_up', id);
  }
}
