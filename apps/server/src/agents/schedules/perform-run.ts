import { callers, permissions } from '../../access/index.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import type { Logger } from '../../foundation/logger.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { agentActions, answerActions, scheduleActions } from '../agent-actions.ts';
import { findAgent } from '../agents/agent-store.ts';
import type { AnswerDeps } from '../answers/answer-deps.ts';
import { ask } from '../answers/ask.ts';
import { budgetExhausted } from '../budgets/budget.ts';
import { writeMarkdown } from './answer-document.ts';
import type { ScheduleDeps } from './change-schedules.ts';
import { schedulesOf } from './change-schedules.ts';
import type { ClaimedRun, RunOutcome } from './run-store.ts';
import type { RunProblem, StopReason } from './schedule.ts';
import { dayOf, fileNameOf } from './schedule.ts';

export type PerformDeps = AnswerDeps & ScheduleDeps & { readonly logger: Logger };

export interface RunContext {
  readonly signal: AbortSignal;
  /** Commits the upload with the claim; raises if the claim has ended. */
  readonly saveUpload: (uploadId: string) => Promise<void>;
}

/** Delays after a failed attempt; then the run has failed. */
const retryMinutes = [1, 5, 15, 60];
export const attemptsMax = retryMinutes.length + 1;

/** Raised where the schedule has to stop. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
  readonly reason: StopReason;

  constructor(reason: StopReason, options?: ErrorOptions) {
    super(`the schedule stops: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Asks and writes the file, with the permissions that the member has at this moment. Every step finds what an
 * interrupted attempt has done: the answer by the key of the run, the file by its upload.
 */
export async function performRun(
  deps: PerformDeps,
  run: ClaimedRun,
  context: RunContext,
): Promise<RunOutcome> {
  const caller = callers.callerOfSchedule(run.member, run.scheduleId);
  try {
    await requireAuthority(deps, run, caller);
    const answer = await ask(
      deps,
      {
        caller,
        organizationKey: run.organization.key,
        username: run.member.username,
        agentId: run.agentId,
        question: run.question,
        follows: null,
        requestKey: `schedule/${run.id}`,
        lastRunAt: run.lastRunAt,
      },
      { signal: context.signal },
    );
    const scheduled = { ...run, day: dayOf(run, run.dueAt), answer };
    const fileId =
      run.projectId === null
        ? null
        : await writeFile(deps, run, run.projectId, caller, writeMarkdown(scheduled), context);
    return { state: 'delivered', answerId: answer.answer.id, fileId };
  } catch (error) {
    return outcomeOf(deps, run, error, deps.clock.now());
  }
}

async function requireAuthority(deps: PerformDeps, run: ClaimedRun, caller: callers.Caller): Promise<void> {
  const actor = await deps.authorities.presentActorIn(caller, run.organization.key);
  if (actor === null) throw new StoppedError('member_left');
  if ((await findAgent(deps.database, run.organization, run.agentId)) === null)
    throw new StoppedError('agent_deleted');
  const { key } = run.organization;
  const agent = permissions.resourceOf(key, 'agents', run.agentId);
  const answers = permissions.resourceOf(key, 'agents', run.agentId, 'answers');
  const isAllowed =
    permissions.allows(actor.authority, agentActions.read, agent) &&
    permissions.allows(actor.authority, answerActions.create, answers) &&
    permissions.allows(actor.authority, scheduleActions.create, schedulesOf(run.organization, run.agentId));
  if (!isAllowed) throw new StoppedError('permission_lost');
  if (run.projectId !== null) await requireProject(deps, run, run.projectId, caller);
}

async function requireProject(
  { scheduleFiles }: PerformDeps,
  run: ClaimedRun,
  projectId: string,
  caller: callers.Caller,
): Promise<void> {
  if (scheduleFiles === null) throw new Error('a worker without storage runs no schedule that writes files');
  if (!(await scheduleFiles.isProject(run.organization, projectId)))
    throw new StoppedError('project_deleted');
  await scheduleFiles.requireWritable(caller, projectId, fileNameOf(run, dayOf(run, run.dueAt)));
}

async function writeFile(
  { scheduleFiles }: PerformDeps,
  run: ClaimedRun,
  projectId: string,
  caller: callers.Caller,
  text: string,
  { signal, saveUpload }: RunContext,
): Promise<string> {
  if (scheduleFiles === null) throw new Error('a worker without storage runs no schedule that writes files');
  const begun = run.uploadId === null ? null : await scheduleFiles.settle(caller, run.uploadId);
  if (begun !== null) return begun;
  const content = Buffer.from(text);
  const name = fileNameOf(run, dayOf(run, run.dueAt));
  const uploadId = await scheduleFiles.reserve(caller, {
    projectId,
    name,
    size: content.length,
  });
  await saveUpload(uploadId);
  return scheduleFiles.store(caller, uploadId, content, signal);
}

/** Lost rights stop the schedule. What a later attempt may change is tried again; the rest fails this run alone. */
function outcomeOf(
  { logger }: PerformDeps,
  run: ClaimedRun,
  error: unknown,
  now: EpochMicroseconds,
): RunOutcome {
  if (error instanceof StoppedError) return { state: 'stopped', problem: error.reason };
  if (error instanceof ProblemError) {
    const { kind, code } = error.definition;
    if (kind === 'forbidden' || kind === 'not-found') return { state: 'stopped', problem: 'permission_lost' };
    if (error.definition === budgetExhausted) return { state: 'failed', problem: 'budget_exhausted' };
    if (code === 'quota_exceeded') return { state: 'failed', problem: 'storage_full' };
    if (kind === 'unavailable' || kind === 'limited' || kind === 'conflict') return retry(run, 'busy', now);
    return { state: 'failed', problem: 'refused' };
  }
  logger.warn({ err: error, schedule: run.scheduleId, run: run.id }, 'a scheduled question failed');
  return retry(run, 'error', now);
}

function retry({ attempts }: ClaimedRun, problem: RunProblem, now: EpochMicroseconds): RunOutcome {
  const minutes = retryMinutes[attempts];
  if (minutes === undefined) return { state: 'failed', problem };
  return { state: 'waiting', problem, retryAt: addMs(now, minutes * 60_000) };
}
