import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { RevocationOutcome } from '../http/revocation-watch.ts';
import { watchRevocation } from '../http/revocation-watch.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { StagePerson } from './access-askers.ts';
import type { AccessChecks, Asker } from './access-checks.ts';
import type { TreeEntry, TreeProject } from './access-tree.ts';

/** A recipient of shares, directly or as the only member of a group. */
export interface Receiver extends Asker {
  readonly person: StagePerson;
  readonly group: number;
}

export type Thing = { readonly entry: TreeEntry } | { readonly project: TreeProject };

export interface GivenShare {
  readonly id: string;
  readonly thing: Thing;
  readonly key: string;
  readonly policy: WrittenPolicy;
  readonly receiver: Receiver;
}

export const levels = ['read', 'write', 'manage'] as const;

/** Guests share with each other where permitted; their permissions grow and shrink, as do the oracle's policies. */
export class AccessShares {
  given: GivenShare[] = [];
  refused = 0;
  readonly #checks: AccessChecks;
  readonly #random: Random;

  constructor(checks: AccessChecks, random: Random) {
    this.#checks = checks;
    this.#random = random;
  }

  async give(granter: Asker, receivers: readonly Receiver[]): Promise<void> {
    const { tree } = granter.oracle;
    const receiver = pick(this.#random, receivers);
    const thing: Thing =
      this.#random() < 0.1
        ? { project: pick(this.#random, tree.projects) }
        : { entry: pick(this.#random, tree.entries) };
    const level = pick(this.#random, levels);
    const toGroup = this.#random() < 0.4;
    const history = this.#random() < 0.3;
    const policy = policyOf(thing, level, history, granter.oracle.organizationKey);
    const path = `${pathOf(thing)}/shares`;
    const to = toGroup ? { group: receiver.group } : { member: receiver.person.username };
    const key = `${path} ${JSON.stringify(to)}`;
    const before = this.given.filter((share) => share.key === key);
    const mayEnd = before.length === 0 || statusOfSharing(granter, 'delete', thing, 204) === 204;
    const may = statusOfSharing(granter, 'create', thing, 201);
    const expected = may === 201 && !(mayEnd && granter.oracle.holds(policy)) ? 403 : may;
    const answer = await this.#checks.ask(granter, 'POST', path, { ...to, level, history });
    this.#checks.compare(granter, `POST ${path} ${level}`, answer.status, expected);
    if (answer.status !== 201) {
      this.refused += 1;
      return;
    }
    this.#forget(before);
    receiver.oracle.policies.push(policy);
    this.given.push({ id: answer.json<{ id: string }>().id, thing, key, policy, receiver });
  }

  /** By any user: ended where permitted. */
  async end(ender: Asker): Promise<void> {
    const share = pick(this.#random, this.given);
    const path = `/api/v1/shares/${share.id}`;
    const expected = statusOfSharing(ender, 'delete', share.thing, 204);
    if ((await this.#checks.status(ender, 'DELETE', path, expected)) === 204) this.#forget([share]);
  }

  /** Shares of what was purged or moved to another project. */
  endOf(entries: readonly TreeEntry[]): void {
    this.#forget(this.given.filter(({ thing }) => 'entry' in thing && entries.includes(thing.entry)));
  }

  /** A share with an invited address, active once its recipient has joined. */
  add(share: GivenShare): void {
    share.receiver.oracle.policies.push(share.policy);
    this.given.push(share);
  }

  /** A member who was removed from the organization. */
  endOfMember({ person, oracle }: Receiver): void {
    oracle.policies.length = 0;
    const to = JSON.stringify({ member: person.username });
    this.given = this.given.filter(({ key }) => !key.endsWith(to));
  }

  #forget(shares: readonly GivenShare[]): void {
    for (const { policy, receiver } of shares) {
      const { policies } = receiver.oracle;
      if (policies.includes(policy)) policies.splice(policies.indexOf(policy), 1);
    }
    this.given = this.given.filter((share) => !shares.includes(share));
  }
}

export function statusOfSharing(
  { oracle }: Asker,
  verb: 'create' | 'delete',
  thing: Thing,
  done: number,
): number {
  return 'entry' in thing
    ? oracle.shares(verb, thing.entry, done)
    : oracle.sharesProject(verb, thing.project, done);
}

export function pathOf(thing: Thing): string {
  return 'entry' in thing
    ? `/api/v1/${thing.entry.kind}s/${thing.entry.id}`
    : `/api/v1/projects/${thing.project.id}`;
}

/** As the guide has it, written out here a second time. */
export function policyOf(
  thing: Thing,
  level: (typeof levels)[number],
  history: boolean,
  organizationKey: string,
): WrittenPolicy {
  const kind = 'entry' in thing ? thing.entry.kind : 'project';
  const kinds = kind === 'file' ? ['Files'] : ['Folders', 'Files'];
  const verbs = level === 'read' ? ['read'] : ['read', 'create', 'update', 'delete'];
  const actions = kinds.flatMap((one) => verbs.map((verb) => `Daybook.Storage/${one}/${verb}`));
  if (kind === 'project') actions.push('Daybook.Storage/Projects/read');
  if (history) actions.push('Daybook.Storage/Versions/read');
  if (level === 'manage')
    actions.push(...['read', 'create', 'delete'].map((verb) => `Daybook.Storage/Shares/${verb}`));
  const project = 'entry' in thing ? thing.entry.projectId : thing.project.id;
  const tail = 'entry' in thing ? `/${kind}s/${thing.entry.id}` : '';
  const resource = `/organizations/${organizationKey}/projects/${project}${tail}`;
  return { actions, resources: kind === 'file' ? [resource] : [resource, `${resource}/**`] };
}

/** Whether three processes under constant requests of the recipient refuse it within a second of its end. */
export async function watchEndedShare(
  stage: StorageStage,
  fileId: string,
  receiver: StagePerson,
): Promise<RevocationOutcome> {
  const given = { member: receiver.username, level: 'read' };
  const made = await stage.ask('POST', `/api/v1/files/${fileId}/shares`, given);
  const { id } = made.json<{ id: string }>();
  const ports = stage.processes.map(({ port }) => port);
  return watchRevocation(
    ports,
    {
      path: `/api/v1/files/${fileId}`,
      headers: receiver.bearer,
      revoke: () => send(ports[0] ?? 0, `/api/v1/shares/${id}`, { method: 'DELETE', headers: stage.headers }),
    },
    { beforeMs: 400, afterMs: 1_400 },
  );
}
