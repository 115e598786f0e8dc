import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { AccountsStage, StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import { newcomer } from './grant-draw.ts';
import type { Acceptance, GrantActor } from './grant-world.ts';

interface Links {
  readonly id: string;
  readonly join: string;
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

/** The links that mail would carry. An account joins by one, or one of two people who create an account with it. */
export class GrantInvitations {
  readonly #stage: AccountsStage;
  readonly #links = new Map<string, Links>();

  constructor(stage: AccountsStage) {
    this.#stage = stage;
  }

  async sent(mark: string, id: string): Promise<void> {
    const { database, clock } = this.#stage.identity;
    const join = await createMailedToken(database, 'join_organization', id, clock.now());
    this.#links.set(mark, { id, join });
  }

  idOf(mark: string): string {
    return this.#of(mark).id;
  }

  marksById(): ReadonlyMap<string, string> {
    return new Map([...this.#links].map(([mark, { id }]) => [id, mark]));
  }

  accept(port: number, { cookie }: GrantActor, step: Acceptance, mark: string): Promise<StageAnswer> {
    const { join: token } = this.#of(step.invitation);
    const headers = { ...sameOrigin, 'user-agent': mark, ...(cookie !== undefined && { cookie }) };
    return step.by === 'account'
      ? send(port, '/auth/join', { form: { token }, headers })
      : send(port, '/auth/join/account', {
          form: {
            token,
            username: newcomer(step.invitation, step.by),
            password: 'the password of a newcomer',
          },
          headers,
        });
  }

  #of(mark: string): Links {
    const links = this.#links.get(mark);
    if (links === undefined) throw new Error(`no invitation was sent as ${mark}`);
    return links;
  }
}
