import type { Static } from 'typebox';
import { Type } from 'typebox';

import { titledObject } from '../../foundation/closed-object.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { readableNamePattern } from '../../foundation/readable-name.ts';
import { questionCharsMax } from '../answers/answer-schema.ts';
import type { Schedule } from './schedule.ts';
import { repetitions, runProblems, runStates, stopReasons } from './schedule.ts';

const Instant = Type.String({ format: 'date-time' });
const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const uuid = Type.String({ format: 'uuid' });

const nameCharsMax = 100;

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: nameCharsMax,
    pattern: readableNamePattern,
    description: 'Used as the subject of the e-mail, or together with the date as the file name.',
  }),
  question: Type.String({ minLength: 1, maxLength: questionCharsMax, pattern: String.raw`\S` }),
  repeats: Type.Enum([...repetitions], { description: '`weekdays`: Monday to Friday.' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day in the time zone.' }),
  time_zone: Type.String({
    maxLength: 64,
    description: 'Name in the IANA time zone database.',
    examples: ['Asia/Shanghai'],
  }),
  deliver_to: Type.Enum(['mail', 'project']),
};
const weekday = Type.Integer({ minimum: 1, maximum: 7 });
const weekdayWords = '1 is Monday. Required for weekly schedules, and not allowed for others.';
const projectWords =
  'The project for the files. Required for delivery to a project, and not allowed otherwise.';

export const NewScheduleSchema = titledObject('NewAgentSchedule', {
  agent: Type.String({ maxLength: 64, description: 'The `unique_id` of the agent.' }),
  ...fields,
  weekday: Type.Optional(orNull(weekday, weekdayWords)),
  project: Type.Optional(orNull(Type.String({ maxLength: 64 }), projectWords)),
});

const RunSchema = titledObject('AgentScheduleRun', {
  due_at: Instant,
  state: Type.Enum([...runStates], {
    description:
      '`delivered`: the file is stored or the e-mail is queued; `failed`: the next run is not affected; `stopped`: the schedule has stopped.',
  }),
  problem: orNull(
    Type.Enum([...runProblems]),
    'Why the run failed or is retried. `interrupted`: the worker stopped; `refused`: the file was refused; `error`: an unexpected error.',
  ),
  settled_at: orNull(Instant, 'null while it waits or runs.'),
  answer: orNull(uuid, 'The id of the answer.'),
  file: orNull(uuid, 'The id of the file.'),
});

export const ScheduleSchema = titledObject('AgentSchedule', {
  id: uuid,
  agent: uuid,
  agent_name: Type.String({ description: 'When it was scheduled.' }),
  ...fields,
  weekday: orNull(weekday, '1 is Monday.'),
  project: orNull(uuid, 'The project for the files.'),
  created_at: Instant,
  next_run_at: orNull(Instant, 'null after it has stopped.'),
  stopped_at: orNull(Instant, 'null while it runs.'),
  stop_reason: orNull(
    Type.Enum([...stopReasons]),
    'Why the schedule stopped: the member left the organization or lost a permission, or the agent or project was deleted.',
  ),
  last_run: Type.Union([RunSchema, Type.Null()]),
});

const shown = (at: EpochMicroseconds | null): string | null => (at === null ? null : isoMilliseconds(at));

export function presentSchedule(schedule: Schedule): Static<typeof ScheduleSchema> {
  const { stopped, lastRun } = schedule;
  return {
    id: schedule.id,
    agent: schedule.agentId,
    agent_name: schedule.agentName,
    name: schedule.name,
    question: schedule.question,
    repeats: schedule.repeats,
    weekday: schedule.weekday,
    hour: schedule.hour,
    time_zone: schedule.timeZone,
    deliver_to: schedule.projectId === null ? 'mail' : 'project',
    project: schedule.projectId,
    created_at: isoMilliseconds(schedule.createdAt),
    next_run_at: shown(schedule.nextRunAt),
    stopped_at: shown(stopped?.at ?? null),
    stop_reason: stopped?.reason ?? null,
    last_run:
      lastRun === null
        ? null
        : {
            due_at: isoMilliseconds(lastRun.dueAt),
            state: lastRun.state,
            problem: lastRun.problem,
            settled_at: shown(lastRun.settledAt),
            answer: lastRun.answerId,
            file: lastRun.fileId,
          },
  };
}
