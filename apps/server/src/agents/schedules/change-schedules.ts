import { callers, changes, permissions } from '../../access/index.ts';
import { defineAuditKind } from '../../audit/index.ts';
import { conflict, forbidden, invalidField } from '../../foundation/http/http-problems.ts';
import { parseId } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { accounts } from '../../identity/index.ts';
import { agentActions, answerActions, scheduleActions } from '../agent-actions.ts';
import type { AgentsChange, AgentsDeps, AgentsRequest } from '../agents-deps.ts';
import { requireAgent } from '../agents/read-agents.ts';
import { enterAsMember } from '../enter-as-member.ts';
import { insertRunNow } from './run-store.ts';
import { countSchedules, deleteSchedule, insertSchedule, selectSchedules } from './schedule-store.ts';
import type { Destination, NewSchedule, Schedule, ScheduleFiles, ScheduleId } from './schedule.ts';
import { dayOf, fileNameOf, isTimeZone, nextDueAfter } from './schedule.ts';

export interface ScheduleDeps extends AgentsDeps {
  /** Null: the installation stores no files. */
  readonly scheduleFiles: ScheduleFiles | null;
  readonly sendsMail: boolean;
}

const schedulesOfMemberMax = 20;
const schedulesOfOrganizationMax = 500;

export const scheduleCreated = defineAuditKind(
  'agent_schedule_created',
  (word) => `You scheduled “${word('name')}”.`,
);
export const scheduleDeleted = defineAuditKind(
  'agent_schedule_deleted',
  (word) => `You ended the schedule “${word('name')}”.`,
);

/** Where the permissions for the schedules of an agent apply. */
export function schedulesOf({ key }: callers.Organization, agentId: string): permissions.Resource {
  return permissions.resourceOf(key, 'agents', agentId, 'schedules');
}

/**
 * Schedules a question of the member. Its runs have the permissions that the member has then, never those of the
 * credential that scheduled it, so a credential with fewer permissions than the member cannot schedule.
 */
export async function createSchedule(
  deps: ScheduleDeps,
  request: AgentsChange & {
    readonly schedule: NewSchedule;
    readonly agentId: string;
  },
): Promise<Schedule> {
  const { actor, member } = await enterAsMember(deps, request);
  const { organization } = actor;
  // The recovery of an account ends its schedules. One that another account created would stay.
  if (request.caller.accountId !== member.id)
    throw new ProblemError(forbidden, 'You can schedule questions only for yourself.');
  const agent = await requireAgent(deps, actor, request.agentId, agentActions.read);
  callers.requirePermission(actor, scheduleActions.create, schedulesOf(organization, agent.id));
  const answers = permissions.resourceOf(organization.key, 'agents', agent.id, 'answers');
  callers.requirePermission(actor, answerActions.create, answers);
  const runsAs = await requireWhole(deps, actor, member);
  const { schedule: wanted, client } = request;
  if (!isTimeZone(wanted.timeZone))
    throw invalidField('time_zone', 'must be the name of a time zone, such as Europe/Berlin');
  const now = deps.clock.now();
  await requireDestination(deps, runsAs, organization, { ...wanted, day: dayOf(wanted, now) });
  const nextRunAt = nextDueAfter(wanted, now);
  const schedule = {
    ...wanted,
    id: deps.ids.next<'schedule'>(),
    agentId: agent.id,
    agentName: agent.displayName,
    accountId: member.id,
    createdAt: now,
    nextRunAt,
    stopped: null,
    lastRun: null,
  } satisfies Schedule;
  await deps.database.transaction().execute(async (transaction) => {
    // A recovery locks the account, and deletes the schedules that it finds.
    await accounts.lockAccount(transaction, member.id);
    if (!(await changes.isLiveCaller(transaction, request.caller, now))) throw callers.notFoundOrHidden();
    const { ofMember, ofOrganization } = await countSchedules(transaction, organization, member.id);
    if (ofMember >= schedulesOfMemberMax)
      throw new ProblemError(
        conflict,
        `You can have at most ${schedulesOfMemberMax} schedules in this organization.`,
      );
    if (ofOrganization >= schedulesOfOrganizationMax) {
      const text = `An organization can have at most ${schedulesOfOrganizationMax} schedules.`;
      throw new ProblemError(conflict, text);
    }
    await insertSchedule(transaction, organization, schedule);
    const detail = { scheduleId: schedule.id, agentId: agent.id, name: schedule.name };
    await changes.recordActorEvent(transaction, deps, actor, {
      kind: scheduleCreated,
      at: now,
      client,
      detail,
    });
  });
  return schedule;
}

/** Returns the member as the caller of runs, if the caller has every permission of the member. */
async function requireWhole(
  { authorities }: ScheduleDeps,
  { authority, organization }: callers.OrganizationActor,
  member: Awaited<ReturnType<typeof enterAsMember>>['member'],
): Promise<callers.Caller> {
  const caller = callers.callerOfSchedule(member, '');
  const present = await authorities.presentActorIn(caller, organization.key);
  if (present === null) throw callers.notFoundOrHidden();
  if (permissions.escalationOf(authority, present.authority) === null) return caller;
  throw new ProblemError(
    forbidden,
    `A schedule has the permissions of ${member.username}, but this credential has fewer. Sign in to create the schedule.`,
  );
}

async function requireDestination(
  { scheduleFiles, sendsMail }: ScheduleDeps,
  caller: callers.Caller,
  organization: callers.Organization,
  wanted: Destination & { readonly name: string; readonly day: string },
): Promise<void> {
  if (wanted.projectId === null) {
    if (!sendsMail)
      throw invalidField('deliver_to', 'must be project, because this installation does not send e-mail');
    return;
  }
  if (scheduleFiles === null)
    throw invalidField('deliver_to', 'must be mail, because this installation does not store files');
  if (!(await scheduleFiles.isProject(organization, wanted.projectId))) throw callers.notFoundOrHidden();
  await scheduleFiles.requireWritable(caller, wanted.projectId, fileNameOf(wanted, wanted.day));
}

/** The schedules of the member whose agents the caller may read schedules of, newest first. */
export async function listSchedules(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly agentId?: string },
): Promise<readonly Schedule[]> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
  const { agentId } = request;
  if (agentId !== undefined && !parseId<'agent'>(agentId).ok) return [];
  const found = await selectSchedules(
    deps.database,
    actor.organization,
    member.id,
    agentId === undefined ? {} : { agentId },
  );
  return found.filter((one) => mayRead(actor, one));
}

export async function readSchedule(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly scheduleId: string },
): Promise<Schedule> {
  return (await requireSchedule(deps, request)).schedule;
}

/** Runs a schedule of the member at once; its due times do not change. */
export async function runSchedule(
  deps: AgentsDeps,
  request: AgentsChange & { readonly scheduleId: string },
): Promise<Schedule> {
  const { actor, schedule } = await requireSchedule(deps, request);
  const { id, agentId, accountId } = schedule;
  callers.requirePermission(actor, scheduleActions.create, schedulesOf(actor.organization, agentId));
  if (request.caller.accountId !== accountId)
    throw new ProblemError(forbidden, 'You can run only your own schedules.');
  if (!(await insertRunNow(deps.database, deps.ids.next<'schedule run'>(), id, deps.clock.now())))
    throw new ProblemError(conflict, 'The schedule has stopped, is running, or ran within the last minute.');
  return readSchedule(deps, request);
}

export async function removeSchedule(
  deps: AgentsDeps,
  request: AgentsChange & { readonly scheduleId: string },
): Promise<void> {
  const { actor, schedule } = await requireSchedule(deps, request);
  const { id, agentId, name } = schedule;
  callers.requirePermission(actor, scheduleActions.delete, schedulesOf(actor.organization, agentId));
  await deps.database.transaction().execute(async (transaction) => {
    await deleteSchedule(transaction, id);
    const detail = { scheduleId: id, agentId, name };
    const [at, { client }] = [deps.clock.now(), request];
    await changes.recordActorEvent(transaction, deps, actor, { kind: scheduleDeleted, at, client, detail });
  });
}

async function requireSchedule(
  deps: AgentsDeps,
  request: AgentsRequest & { readonly scheduleId: string },
): Promise<{ readonly actor: callers.OrganizationActor; readonly schedule: Schedule }> {
  const { actor, member } = await enterAsMember(deps, request);
  await changes.requireOver(deps.database, actor, member);
  const parsed = parseId<'schedule'>(request.scheduleId);
  const id: ScheduleId | null = parsed.ok ? parsed.value : null;
  const [schedule] =
    id === null ? [] : await selectSchedules(deps.database, actor.organization, member.id, { id });
  if (schedule === undefined || !mayRead(actor, schedule)) throw callers.notFoundOrHidden();
  return { actor, schedule };
}

function mayRead({ authority, organization }: callers.OrganizationActor, { agentId }: Schedule): boolean {
  return permissions.allows(authority, scheduleActions.read, schedulesOf(organization, agentId));
}
