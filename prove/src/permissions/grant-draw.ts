import type {
  Acceptance,
  GrantActor,
  GrantRole,
  GrantStep,
  GrantWorld,
  InvitedRole,
  TokenEdit,
} from './grant-world.ts';
import type { Random } from './policy-draw.ts';
import { pick } from './policy-draw.ts';

export interface GrantMove {
  readonly actor: GrantActor;
  readonly step: GrantStep;
}

const actions = [
  'Daybook.Storage/Files/read',
  'Daybook.Storage/Files/*',
  'Daybook.Storage/*/*',
  'Daybook.Storage/**',
  'Daybook.Agents/Agents/update',
  'Daybook.Core/Policies/*',
  'Daybook.Core/Organization/delete',
];
const rests = [['projects', '1'], ['projects', '*'], ['projects', '**'], ['**'], []];
const invitedRoles: readonly InvitedRole[] = ['admin', 'admin', 'member', 'viewer'];
const roles: readonly GrantRole[] = ['admin', 'admin', 'member', 'viewer', 'owner'];

const none = { policies_to_add: [], policies_to_remove: [], users_to_add: [], users_to_remove: [] };
const noAttachments = { policies_to_add: [], groups_to_add: [] };

/** The username with which a person without an account accepts an invitation. */
export function newcomer(invitation: string, by: 0 | 1): string {
  return `newcomer-${invitation}-${by}`;
}

/** Draws what several people do at the same moment: half of it in pairs that are dangerous together. */
export class GrantDraw {
  readonly #random: Random;
  readonly #world: GrantWorld;
  /** The first is the owner, who repairs what others have lost. */
  readonly #actors: readonly GrantActor[];
  #named = 0;

  constructor(random: Random, world: GrantWorld, actors: readonly GrantActor[]) {
    this.#random = random;
    this.#world = world;
    this.#actors = actors;
  }

  batch(size: number): readonly GrantMove[] {
    const moves: GrantMove[] = [];
    while (moves.length < size) moves.push(...this.#some());
    return moves;
  }

  #some(): readonly GrantMove[] {
    const chance = this.#random();
    if (chance < 0.1) return [this.#invite()];
    if (chance < 0.35) return [this.#any()];
    return chance < 0.7 ? this.#pair() : this.#aroundInvitation();
  }

  /** An open invitation is accepted by three at once, and half the time its sender loses what they gave meanwhile. */
  #aroundInvitation(): readonly GrantMove[] {
    const [owner] = this.#actors as [GrantActor];
    const open = [...this.#world.invitations].filter(([, { state }]) => state === 'open');
    if (open.length === 0) return [this.#invite()];
    const [invitation, { sender }] = pick(this.#random, open);
    const accept = (actor: GrantActor, by: Acceptance['by']): GrantMove => ({
      actor,
      step: { kind: 'accept', invitation, by },
    });
    const outside = this.#actors.filter(
      ({ kind, name }) => kind === 'member' && !this.#world.roles.has(name),
    );
    const accepting = [
      ...(outside.length === 0 ? [] : [accept(pick(this.#random, outside), 'account')]),
      ...([0, 1] as const).map((by) =>
        accept({ name: newcomer(invitation, by), kind: 'member', headers: {} }, by),
      ),
    ];
    const against: readonly (() => readonly GrantMove[])[] = [
      () => [],
      () => [{ actor: owner, step: { kind: 'cancel', invitation } }],
      () => [{ actor: owner, step: { kind: 'role', username: sender.name, role: 'viewer' } }],
      () => [{ actor: owner, step: { kind: 'remove', username: sender.name } }],
    ];
    const harmless = sender.kind === 'token' || sender === owner;
    const loss = pick(this.#random, harmless ? against.slice(0, 2) : against)();
    return this.#random() < 0.5 ? [...loss, ...accepting] : [...accepting, ...loss];
  }

  #invite(): GrantMove {
    // An address that has joined has an account: the next invitation goes to a new one.
    const joined = [...this.#world.invitations.values()].filter(({ state }) => state === 'accepted').length;
    const email = `guest-${joined}-${Math.floor(this.#random() * 6)}@example.org`;
    // Mostly those who can lose what they give again.
    const admins = this.#actors.filter(({ name }) => this.#world.roles.get(name) === 'admin');
    return {
      actor: admins.length > 0 && this.#random() < 0.7 ? pick(this.#random, admins) : this.#someone(),
      step: { kind: 'invite', email, role: pick(this.#random, invitedRoles) },
    };
  }

  text() {
    const several = <Value>(values: readonly Value[]): Value[] =>
      Array.from({ length: 1 + Math.floor(this.#random() * 2) }, () => pick(this.#random, values));
    return {
      actions: several(actions),
      resources: several(rests).map((rest) => this.#world.path(...rest)),
    };
  }

  #pair(): readonly GrantMove[] {
    const [owner] = this.#actors as [GrantActor];
    const [actor, user] = [this.#someone(), this.#member()];
    const loser = actor.kind === 'member' && actor !== owner ? actor.name : user;
    const [policy, group] = [this.#policy(), this.#group()];
    const pairs: readonly (readonly [GrantMove, GrantMove])[] = [
      // A policy is edited while a token is granted it.
      [
        { actor: owner, step: { kind: 'policy', id: policy, text: this.text() } },
        { actor, step: this.#tokenWith({ policies_to_add: [policy], groups_to_add: [] }) },
      ],
      // A policy comes to a group while a user does, or a token.
      [
        { actor: owner, step: { kind: 'group', id: group, ...none, policies_to_add: [policy] } },
        {
          actor,
          step:
            this.#random() < 0.5
              ? { kind: 'group', id: group, ...none, users_to_add: [user] }
              : this.#tokenWith({ policies_to_add: [], groups_to_add: [group] }),
        },
      ],
      // The owner of a token gains permissions while another editor switches its mode.
      [
        { actor: owner, step: { kind: 'role', username: user, role: pick(this.#random, roles) } },
        { actor, step: { kind: 'token', name: this.#token(), mode: 'owner', ...noAttachments } },
      ],
      // A granter loses rights meanwhile.
      [
        {
          actor: owner,
          step: { kind: 'role', username: loser, role: 'viewer' },
        },
        { actor, step: this.#tokenWith({ policies_to_add: [policy], groups_to_add: [] }) },
      ],
    ];
    return pick(this.#random, pairs);
  }

  #any(): GrantMove {
    const actor = this.#someone();
    const steps: readonly (() => GrantStep)[] = [
      () => ({ kind: 'remove', username: this.#member() }),
      () => ({ kind: 'policy', id: this.#policy(), text: this.text() }),
      () => ({ kind: 'role', username: this.#member(), role: pick(this.#random, roles) }),
      () => ({ kind: 'group', id: this.#group(), ...none, policies_to_add: [this.#policy()] }),
      () => ({ kind: 'group', id: this.#group(), ...none, policies_to_remove: [this.#policy()] }),
      () => ({ kind: 'group', id: this.#group(), ...none, users_to_add: [this.#member()] }),
      () => ({ kind: 'group', id: this.#group(), ...none, users_to_remove: [this.#member()] }),
      () => ({
        kind: 'token',
        name: this.#token(),
        mode: pick(this.#random, ['owner', 'token_policies'] as const),
        ...noAttachments,
      }),
      () => ({
        kind: 'new token',
        name: `token-${(this.#named += 1)}`,
        mode: pick(this.#random, ['owner', 'token_policies'] as const),
        ...noAttachments,
      }),
    ];
    return { actor, step: pick(this.#random, steps)() };
  }

  #tokenWith(attachments: Pick<TokenEdit, 'policies_to_add' | 'groups_to_add'>): TokenEdit {
    const name = this.#token();
    return { kind: 'token', name, mode: 'token_policies', ...attachments };
  }

  #someone(): GrantActor {
    // A token that has ended is drawn once in a while: it must be refused, but does nothing else.
    const standing = this.#actors.filter(
      ({ kind, name }) => kind === 'member' || this.#world.tokens.has(name),
    );
    return pick(this.#random, this.#random() < 0.95 ? standing : this.#actors);
  }

  /** Never the owner, so that one member can always repair. */
  #member(): string {
    const [, ...others] = this.#actors.filter(({ kind }) => kind === 'member');
    return pick(this.#random, others).name;
  }

  /** Never the first policy or group, by which everyone may try everything. */
  #policy(): number {
    return pick(this.#random, [...this.#world.policies.keys()].slice(1));
  }

  #group(): number {
    return pick(this.#random, [...this.#world.groups.keys()].slice(1));
  }

  #token(): string {
    return pick(this.#random, [...this.#world.tokens.keys()]);
  }
}
