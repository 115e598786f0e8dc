import type { Access } from '../../access/index.ts';
import { callers, changes, permissions } from '../../access/index.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Decider } from './decide.ts';
import { deskActions } from './desk-actions.ts';
import type { JournalSubject } from './journal.ts';

export interface DeskAccess {
  readonly access: Pick<Access, 'authorities'>;
  /** The key of the organization that owns the newsroom. */
  readonly organization: string;
}

const kinds: Readonly<Record<JournalSubject['kind'], string>> = {
  item: 'items',
  entry: 'queue',
  story: 'stories',
  source: 'sources',
  report: 'queue',
  daily: 'editions',
  weekly: 'editions',
  monthly: 'editions',
};

/** The resource of a subject; editions have the kind in their name. */
export function deskResource(organization: string, { kind, id }: JournalSubject): permissions.Resource {
  const name = kinds[kind] === 'editions' ? `${kind}-${id}` : id;
  return permissions.resourceOf(organization, 'newsroom', kinds[kind], name);
}

/**
 * The caller in the newsroom's organization, whatever the caller may do in others. Only people edit: tokens and API keys
 * are refused. The response is the same 404 if there is no such organization.
 */
export async function authorizeDesk(
  { access, organization }: DeskAccess,
  caller: callers.Caller,
): Promise<callers.OrganizationActor> {
  if (caller.credential.kind !== 'session') throw callers.notFoundOrHidden();
  const actor = await callers.authorizeOrganization(access, caller, organization);
  // A member without any permission here, such as a guest, does not learn that the desk exists.
  if (!isAdmitted(actor)) throw callers.notFoundOrHidden();
  return actor;
}

/** For a page that stays open: whether the session and the permission are still there, read now. */
export async function isStillAdmitted(
  { access, organization }: DeskAccess,
  caller: callers.Caller,
): Promise<boolean> {
  const actor = await access.authorities.presentActorIn(caller, organization);
  return actor !== null && isAdmitted(actor);
}

function isAdmitted({ authority, organization }: callers.OrganizationActor): boolean {
  const queue = permissions.resourceOf(organization.key, 'newsroom', 'queue');
  return permissions.allows(authority, deskActions.queue.read, queue);
}

/** Raises `forbidden` for members of the desk without the permission. */
export function requireDesk(
  actor: callers.OrganizationActor,
  action: permissions.Action,
  ...rest: readonly string[]
): void {
  callers.requirePermission(
    actor,
    action,
    permissions.resourceOf(actor.organization.key, 'newsroom', ...rest),
  );
}

/**
 * Decides for a person: the session and the permissions are read again in the transaction of each decision. Changes of
 * permissions in the organization wait for its end; decisions do not wait for each other.
 */
export function personDecider(
  { clock }: { readonly clock: Clock },
  actor: callers.OrganizationActor,
): Decider {
  const { caller, organization } = actor;
  return {
    authorize: async (transaction, action, subject) => {
      const present = await changes.holdPresentActor(transaction, caller, organization.id, clock.now());
      if (present === null) throw callers.notFoundOrHidden();
      callers.requirePermission(present, action, deskResource(organization.key, subject));
      return { kind: 'person', accountId: caller.accountId };
    },
  };
}
