import { callers, changes, groups, members, permissions, shares } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import type { Database } from '../../foundation/database/database.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import { memberships } from '../../identity/index.ts';
import { within } from '../projects/authorize-project.ts';
import type { StorageDeps, StorageRequest } from '../storage-deps.ts';
import { sharesMax } from '../storage-deps.ts';
import { contradicts } from '../storage-problems.ts';
import type { ShareTargetRef } from './authorize-share-target.ts';
import { authorizeShareTarget, findOrganizationKey } from './authorize-share-target.ts';
import { policyOfShare, resourceOfTarget, targetOfResource } from './share-target.ts';

export const shareCreated = defineAuditKind(
  'share_created',
  (word) => `You shared a ${word('thing')} with ${word('with')} (${word('level')}).`,
);
export const shareEnded = defineAuditKind(
  'share_ended',
  (word) => `You stopped sharing a ${word('thing')} with ${word('with')}.`,
);

/** One of the three. */
export interface WantedSubject {
  readonly member?: string;
  readonly group?: number;
  /** The address of a non-member, who is invited as guest. */
  readonly email?: string;
}

/**
 * A grant like every other: under the organization's lock, checked against the current authority of its creator.
 * A second share with the same member or group replaces the first.
 */
export async function createShare(
  deps: StorageDeps,
  request: StorageRequest & {
    readonly thing: ShareTargetRef;
    readonly to: WantedSubject;
    readonly level: shares.ShareLevel;
    /** Also earlier versions. */
    readonly history?: boolean;
  },
): Promise<shares.Share> {
  const { caller, client, level, history = false } = request;
  const { email: written, ...to } = request.to;
  if (Object.keys(request.to).length !== 1)
    throw invalidField('member', ', group or email is required; send exactly one of them');
  const platformKey = await findOrganizationKey(deps.database, request.thing);
  // Also checked here, so that callers without the permission send no mail.
  if (written !== undefined) await authorizeShareTarget(deps, caller, request.thing, 'create');
  const email =
    written === undefined ? null : await members.admitGuest(deps, { caller, platformKey, email: written });
  return changes.changeOrganization(deps, { caller, client, platformKey }, async (change) => {
    const { transaction, actor, now } = change;
    const thing = await authorizeShareTarget(within(transaction, actor), caller, request.thing, 'create');
    const { organization } = actor;
    const resource = resourceOfTarget(organization.key, thing);
    const policy = policyOfShare(resource, thing.kind, level, history);
    changes.requireWithin(actor, policiesOf(policy, organization.key), 'level');
    const subject: shares.ShareSubject =
      email === null
        ? await findSubject(transaction, organization, to)
        : { kind: 'invited', ...(await members.inviteGuest(deps, change, email, client)) };
    const share: shares.Share = {
      id: deps.ids.next(),
      organizationId: organization.id,
      resource,
      level,
      policy,
      subject,
      maker: { id: caller.accountId, username: caller.username },
      viaKeyId: caller.credential.kind === 'api_key' ? caller.credential.keyId : null,
      createdAt: now,
    };
    // Another level may be lower: that also ends permissions.
    if (await shares.replaceShare(transaction, share))
      await authorizeShareTarget(within(transaction, actor), caller, request.thing, 'delete');
    if ((await shares.countShares(transaction, organization.id, resource)) > sharesMax)
      throw contradicts(
        `A ${thing.kind} can be shared with at most ${sharesMax} members and groups. Share it with a group.`,
      );
    return { result: share, event: { kind: shareCreated, detail: detailOf(share, thing.kind) } };
  });
}

function policiesOf(written: permissions.WrittenPolicy, organizationKey: string): permissions.Policy[] {
  const parsed = permissions.parsePolicy(written, organizationKey);
  if (!parsed.ok) throw new Error(`a share says what no policy can: ${JSON.stringify(parsed.faults)}`);
  return [parsed.value];
}

async function findSubject(
  transaction: Database,
  { id }: callers.Organization,
  { member, group }: Omit<WantedSubject, 'email'>,
): Promise<shares.ShareSubject> {
  if (group !== undefined) {
    const [found] = await groups.findGroups(transaction, id, [group]);
    if (found === undefined) throw invalidField('group', 'is not a group of this organization');
    return { kind: 'group', id: found.id, name: found.name };
  }
  const [found] = await memberships.findMembers(transaction, id, [member ?? '']);
  if (found === undefined) throw invalidField('member', 'is not a member of this organization');
  return { kind: 'member', id: found.id, username: found.username };
}

/** Every process refuses the granted permissions within a second. */
export async function endShare(
  deps: StorageDeps,
  request: StorageRequest & { readonly shareId: string },
): Promise<void> {
  const { caller, client } = request;
  const id = parseId<'share'>(request.shareId);
  const share = id.ok ? await shares.findShare(deps.database, id.value) : null;
  const thing = share === null ? null : targetOfResource(share.resource);
  if (share === null || thing === null) throw callers.notFoundOrHidden();
  const platformKey = await findOrganizationKey(deps.database, thing);
  await changes.changeOrganization(deps, { caller, client, platformKey }, async ({ transaction, actor }) => {
    await authorizeShareTarget(within(transaction, actor), caller, thing, 'delete');
    if (!(await shares.deleteShare(transaction, share.id))) throw callers.notFoundOrHidden();
    return { result: undefined, event: { kind: shareEnded, detail: detailOf(share, thing.kind) } };
  });
}

function detailOf({ id: shareId, resource, level, subject }: shares.Share, thing: string) {
  const to = { member: 'a member', group: 'a group', invited: 'an invited person' }[subject.kind];
  return { shareId, resource, level, thing, with: to };
}
