import { acceptInvitation } from '../../../apps/server/src/identity/invitations/accept-invitation.ts';
import { createMailedToken } from '../../../apps/server/src/identity/mail/mailed-token-store.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { StageOrganization } from './access-askers.ts';
import { givePolicies, signUp } from './access-askers.ts';
import type { AccessChecks, Asker } from './access-checks.ts';
import { AccessOracle } from './access-oracle.ts';
import type { AccessShares, GivenShare, Receiver } from './access-shares.ts';
import { levels, pathOf, policyOf, statusOfSharing } from './access-shares.ts';
import type { AccessTree, TreeEntry } from './access-tree.ts';

/** A person with an open invitation, whose share is not active yet. */
interface Invited {
  readonly receiver: Receiver;
  readonly invitationId: string;
  readonly share: GivenShare;
}

/** Shares, invitations and removed guests. Processes know them within a second. */
export class AccessGrants {
  invited = 0;
  joined = 0;
  /** Everyone who can receive shares. */
  readonly receivers: Receiver[];
  /** Accounts that are not members: not yet, no longer, or never. */
  readonly outsiders: Receiver[] = [];
  readonly #stage: StorageStage;
  readonly #organization: StageOrganization;
  readonly #checks: AccessChecks;
  readonly #shares: AccessShares;
  readonly #tree: AccessTree;
  readonly #random: Random;
  #open: Invited[] = [];
  readonly #ended = new Set<GivenShare>();
  readonly #removable: Receiver[] = [];

  constructor(
    stage: StorageStage,
    organization: StageOrganization,
    {
      checks,
      shares,
      tree,
      random,
    }: {
      readonly checks: AccessChecks;
      readonly shares: AccessShares;
      readonly tree: AccessTree;
      readonly random: Random;
    },
    receivers: readonly Receiver[],
  ) {
    this.#stage = stage;
    this.#organization = organization;
    this.#checks = checks;
    this.#shares = shares;
    this.#tree = tree;
    this.#random = random;
    this.receivers = [...receivers];
  }

  /** Shares of open invitations, too, end with what was purged or moved to another project. */
  endOf(entries: readonly TreeEntry[]): void {
    for (const { share } of this.#open)
      if ('entry' in share.thing && entries.includes(share.thing.entry)) this.#ended.add(share);
  }

  async change(owner: Asker): Promise<void> {
    const chance = this.#random();
    const granter = this.#random() < 0.5 ? owner : pick(this.#random, this.receivers);
    if (chance < 0.5) await this.#shares.give(granter, this.receivers);
    else if (chance < 0.8) {
      if (this.#shares.given.length > 0) await this.#shares.end(granter);
    } else if (chance < 0.9) await this.#invite(owner);
    else await this.#decide();
  }

  /** A share with an address: refused to those who may not invite, even if they may share. */
  async #invite(owner: Asker): Promise<void> {
    const person = await signUp(this.#stage);
    const guest = pick(this.#random, this.receivers);
    const entry = pick(this.#random, this.#tree.entries);
    const thing = { entry };
    const level = pick(this.#random, levels);
    const path = `${pathOf(thing)}/shares`;
    const asked = { email: person.email, level, history: false };
    const expected = statusOfSharing(guest, 'create', thing, 403);
    await this.#checks.status(guest, 'POST', path, expected, asked);
    const answer = await this.#checks.ask(owner, 'POST', path, asked);
    this.#checks.compare(owner, `POST ${path}`, answer.status, statusOfSharing(owner, 'create', thing, 201));
    const receiver: Receiver = {
      name: person.username,
      credentials: [person.bearer],
      oracle: new AccessOracle(this.#tree, this.#organization.key, []),
      person,
      group: 0,
    };
    this.outsiders.push(receiver);
    if (answer.status !== 201) return;
    this.invited += 1;
    const { id } = answer.json<{ id: string }>();
    const { rows } = await this.#stage.superuser.pool.query<{ invitation_id: string }>(
      'SELECT invitation_id FROM access.share WHERE id = $1',
      [id],
    );
    const policy = policyOf(thing, level, false, this.#organization.key);
    const key = `${path} ${JSON.stringify({ member: person.username })}`;
    const share = { id, thing, key, policy, receiver };
    this.#open.push({ receiver, share, invitationId: rows[0]?.invitation_id ?? '' });
  }

  /** An invitation is accepted or cancelled, or a guest is removed. */
  async #decide(): Promise<void> {
    const leaving = this.#removable[0];
    if (leaving !== undefined && this.#random() < 0.3) return this.#removeGuest(leaving);
    const [invited, ...others] = this.#open;
    if (invited === undefined) return;
    this.#open = others;
    const { invitationId, receiver, share } = invited;
    const platform = `platform_key=${this.#organization.key}`;
    if (this.#random() < 0.3) {
      const path = `/dm/api/core/rbac/invitations/${invitationId}?${platform}`;
      await this.#send('DELETE', path, 204);
      return;
    }
    const { identity } = this.#stage;
    const token = await createMailedToken(
      identity.database,
      'join_organization',
      invitationId,
      identity.clock.now(),
    );
    const client = { address: 'stage', userAgent: 'stage' };
    await acceptInvitation(identity, { token, accountId: receiver.person.id, client });
    await this.#join(receiver, share);
  }

  /** The share is active if its entry still exists where it was. */
  async #join(before: Receiver, share: GivenShare): Promise<void> {
    this.joined += 1;
    const group = await givePolicies(this.#stage, this.#organization, before.person, []);
    const receiver = { ...before, group };
    this.outsiders.splice(this.outsiders.indexOf(before), 1);
    this.receivers.push(receiver);
    this.#removable.push(receiver);
    const { rows } = await this.#stage.superuser.pool.query('SELECT FROM access.share WHERE id = $1', [
      share.id,
    ]);
    const isThere = !this.#ended.has(share);
    this.#checks.compare(receiver, 'a share after joining', rows.length, isThere ? 1 : 0);
    if (rows.length > 0 && isThere) this.#shares.add({ ...share, receiver });
  }

  async #removeGuest(leaving: Receiver): Promise<void> {
    this.#removable.shift();
    const path = `/dm/api/core/rbac/members/${leaving.person.username}?platform_key=${this.#organization.key}`;
    await this.#send('DELETE', path, 204);
    this.#shares.endOfMember(leaving);
    this.receivers.splice(this.receivers.indexOf(leaving), 1);
    this.outsiders.push(leaving);
  }

  async #send(method: string, path: string, status: number): Promise<void> {
    const answer = await this.#stage.ask(method, path);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  }
}
