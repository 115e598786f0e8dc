import { policiesOfRole } from '../../../apps/server/src/access/core-permissions/index.ts';
import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import { allowedByWitness, uncoveredByWitness } from './witness-oracle.ts';

export type GrantRole = 'owner' | 'admin' | 'member' | 'viewer';
export type GrantMode = 'owner' | 'token_policies';

export interface GrantGroup {
  readonly users: Set<string>;
  readonly policies: Set<number>;
}

export interface GrantToken {
  readonly creator: string;
  mode: GrantMode;
  readonly policies: Set<number>;
  readonly groups: Set<number>;
}

/** The caller: a member, or a token. */
export interface GrantActor {
  readonly name: string;
  readonly kind: 'member' | 'token';
  readonly headers: Readonly<Record<string, string>>;
  /** Of a browser that is signed in: invitations are accepted on a page. */
  readonly cookie?: string;
}

export interface GrantInvitation {
  readonly email: string;
  readonly role: InvitedRole;
  readonly sender: GrantActor;
  state: 'open' | 'accepted' | 'cancelled';
}

export type InvitedRole = Exclude<GrantRole, 'owner'>;

export interface GroupEdit {
  readonly kind: 'group';
  readonly id: number;
  readonly policies_to_add: readonly number[];
  readonly policies_to_remove: readonly number[];
  readonly users_to_add: readonly string[];
  readonly users_to_remove: readonly string[];
}

export interface TokenEdit {
  readonly kind: 'token' | 'new token';
  readonly name: string;
  readonly mode?: GrantMode;
  readonly policies_to_add: readonly number[];
  readonly groups_to_add: readonly number[];
}

/** Invitations are identified by the mark of their request. */
export interface Acceptance {
  readonly kind: 'accept';
  readonly invitation: string;
  /** With an account that exists, or as the first or second of two people who create one. */
  readonly by: 'account' | 0 | 1;
}

export type GrantStep =
  | { readonly kind: 'invite'; readonly email: string; readonly role: InvitedRole }
  | { readonly kind: 'cancel'; readonly invitation: string }
  | { readonly kind: 'remove'; readonly username: string }
  | Acceptance
  | { readonly kind: 'policy'; readonly id: number; readonly text: WrittenPolicy }
  | { readonly kind: 'role'; readonly username: string; readonly role: GrantRole }
  | GroupEdit
  | TokenEdit;

/** The rules of grants written down once more, in the plainest way, and judged by example instead of by tries. */
export class GrantWorld {
  readonly key: string;
  readonly roles = new Map<string, GrantRole>();
  readonly policies = new Map<number, WrittenPolicy>();
  readonly groups = new Map<number, GrantGroup>();
  readonly tokens = new Map<string, GrantToken>();
  readonly invitations = new Map<string, GrantInvitation>();

  constructor(key: string) {
    this.key = key;
  }

  path(...segments: readonly string[]): string {
    return ['/organizations', this.key, ...segments].join('/');
  }

  roleText(role: GrantRole): readonly WrittenPolicy[] {
    return policiesOfRole(role, this.key).map(({ actions, resources }) => ({
      actions: actions.map(({ text }) => text),
      resources: resources.map(({ text }) => text),
    }));
  }

  textsOf(ids: Iterable<number>): WrittenPolicy[] {
    return [...ids].flatMap((id) => this.policies.get(id) ?? []);
  }

  memberAuthority(username: string): WrittenPolicy[] {
    const role = this.roles.get(username);
    if (role === undefined) return [];
    const groups = [...this.groups.values()].filter(({ users }) => users.has(username));
    return [...this.roleText(role), ...groups.flatMap(({ policies }) => this.textsOf(policies))];
  }

  tokenAuthority({ creator, mode, policies, groups }: GrantToken): WrittenPolicy[] {
    if (mode === 'owner') return this.memberAuthority(creator);
    const reached = [...groups].flatMap((id) => [...(this.groups.get(id)?.policies ?? [])]);
    return this.textsOf([...policies, ...reached]);
  }

  authorityOf({ kind, name }: GrantActor): WrittenPolicy[] {
    if (kind === 'member') return this.memberAuthority(name);
    const token = this.tokens.get(name);
    return token === undefined ? [] : this.tokenAuthority(token);
  }

  /** What the step gives that its maker does not hold, or does that its maker may not; then takes the step. */
  take(actor: GrantActor, step: GrantStep, mark: string): readonly string[] {
    const invitation =
      step.kind === 'accept' || step.kind === 'cancel' ? this.invitations.get(step.invitation) : undefined;
    // The recipient grants nothing: the sender does, at that moment.
    const granter = this.authorityOf(
      step.kind === 'accept' && invitation !== undefined ? invitation.sender : actor,
    );
    const faults: string[] = [];
    const need = (action: string, ...segments: readonly string[]): void => {
      const [name, resource] = [`Daybook.Core/${action}`, this.path(...segments)];
      if (!allowedByWitness(granter, name, resource)) faults.push(`may not ${name} on ${resource}`);
    };
    const give = (candidate: readonly WrittenPolicy[]): void => {
      faults.push(...uncoveredByWitness(granter, candidate));
    };
    if (step.kind === 'policy') this.#takePolicy(step.id, step.text, need, give);
    else if (step.kind === 'role') this.#takeRole(step.username, step.role, need, give);
    else if (step.kind === 'group') this.#takeGroup(step, need, give);
    else if (step.kind === 'remove') this.#takeRemoval(actor, step.username, need, give);
    else if (step.kind === 'invite') this.#takeInvitation(actor, step, mark, need, give);
    else if (step.kind === 'accept' || step.kind === 'cancel') {
      need('Members/create', 'members');
      if (invitation?.state !== 'open') faults.push(`the invitation is ${invitation?.state ?? 'unknown'}`);
      else if (step.kind === 'cancel') invitation.state = 'cancelled';
      else {
        give(this.roleText(invitation.role));
        if (this.roles.has(actor.name)) faults.push(`${actor.name} is a member already`);
        this.roles.set(actor.name, invitation.role);
        invitation.state = 'accepted';
      }
    } else this.#takeToken(actor, step, need, give);
    this.#cancelWhere(({ sender, role }) => !this.#mayInvite(sender, role));
    return faults;
  }

  /** An invitation ends with the change that takes from its sender what it gives. */
  #mayInvite(sender: GrantActor, role: GrantRole): boolean {
    const held = this.authorityOf(sender);
    return (
      allowedByWitness(held, 'Daybook.Core/Members/create', this.path('members')) &&
      uncoveredByWitness(held, this.roleText(role)).length === 0
    );
  }

  #cancelWhere(ends: (invitation: GrantInvitation) => boolean): void {
    for (const invitation of this.invitations.values())
      if (invitation.state === 'open' && ends(invitation)) invitation.state = 'cancelled';
  }

  #takeInvitation(
    sender: GrantActor,
    { email, role }: Extract<GrantStep, { kind: 'invite' }>,
    mark: string,
    need: Need,
    give: Give,
  ): void {
    need('Members/create', 'members');
    give(this.roleText(role));
    this.#cancelWhere((other) => other.email === email);
    this.invitations.set(mark, { email, role, sender, state: 'open' });
  }

  #takeRemoval(actor: GrantActor, username: string, need: Need, give: Give): void {
    const leaves = actor.kind === 'member' && actor.name === username;
    if (!leaves) {
      need('Members/delete', 'members', username);
      give(this.roleText(this.roles.get(username) ?? 'owner'));
    }
    this.roles.delete(username);
    for (const { users } of this.groups.values()) users.delete(username);
    this.#cancelWhere(({ sender }) => this.#accountOf(sender) === username);
    for (const [name, { creator }] of this.tokens) if (creator === username) this.tokens.delete(name);
  }

  #accountOf({ kind, name }: GrantActor): string {
    return kind === 'member' ? name : (this.tokens.get(name)?.creator ?? '');
  }

  #takePolicy(id: number, text: WrittenPolicy, need: Need, give: Give): void {
    need('Policies/update', 'policies', String(id));
    const held = [...this.groups.values(), ...this.tokens.values()];
    if (held.some(({ policies }) => policies.has(id))) give([text]);
    this.policies.set(id, text);
  }

  #takeRole(username: string, role: GrantRole, need: Need, give: Give): void {
    need('Members/update', 'members', username);
    for (const one of [this.roles.get(username) ?? 'viewer', role]) give(this.roleText(one));
    this.roles.set(username, role);
  }

  #takeGroup(edit: GroupEdit, need: Need, give: Give): void {
    const group = this.groups.get(edit.id) as GrantGroup;
    need('Groups/update', 'groups', String(edit.id));
    give(this.textsOf(edit.policies_to_add));
    for (const id of edit.policies_to_remove) group.policies.delete(id);
    for (const id of edit.policies_to_add) group.policies.add(id);
    if (edit.users_to_add.length > 0) give(this.textsOf(group.policies));
    for (const user of edit.users_to_remove) group.users.delete(user);
    for (const user of edit.users_to_add) group.users.add(user);
  }

  #takeToken(actor: GrantActor, edit: TokenEdit, need: Need, give: Give): void {
    const isNew = edit.kind === 'new token';
    const place = isNew ? ['api-tokens'] : ['api-tokens', edit.name];
    need(`ApiTokens/${isNew ? 'create' : 'update'}`, ...place);
    const creator = this.#accountOf(actor);
    const before: GrantToken = this.tokens.get(edit.name) ?? {
      creator,
      mode: 'owner',
      policies: new Set(),
      groups: new Set(),
    };
    if (edit.mode !== undefined && !(isNew && edit.mode === 'owner')) need('ApiTokens/mode/write', ...place);
    if (edit.policies_to_add.length > 0) need('ApiTokens/policies_to_add/write', ...place);
    if (edit.groups_to_add.length > 0) need('ApiTokens/groups_to_add/write', ...place);
    give(this.textsOf(edit.policies_to_add));
    for (const id of edit.groups_to_add) give(this.textsOf(this.groups.get(id)?.policies ?? []));
    const token: GrantToken = {
      creator: before.creator,
      mode: edit.mode ?? before.mode,
      policies: new Set([...before.policies, ...edit.policies_to_add]),
      groups: new Set([...before.groups, ...edit.groups_to_add]),
    };
    if (isNew || token.mode !== before.mode) give(this.tokenAuthority(token));
    this.tokens.set(edit.name, token);
  }
}

type Need = (action: string, ...segments: readonly string[]) => void;
type Give = (candidate: readonly WrittenPolicy[]) => void;
