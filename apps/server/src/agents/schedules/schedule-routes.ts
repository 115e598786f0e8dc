import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { conflict, forbidden, invalidField, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import type { Surface } from '../../foundation/http/surface.ts';
import { MemberParams, agentsRequestOf, memberParams, memberPath } from '../agents-address.ts';
import type { ScheduleDeps } from './change-schedules.ts';
import {
  createSchedule,
  listSchedules,
  readSchedule,
  removeSchedule,
  runSchedule,
} from './change-schedules.ts';
import { NewScheduleSchema, ScheduleSchema, presentSchedule } from './schedule-schema.ts';
import type { Destination } from './schedule.ts';

export interface ScheduleRoutesDeps extends ScheduleDeps {
  readonly surface: Surface;
}

const tag = 'answers';
const schedulesPath = `${memberPath}/agent-schedules/`;
const schedulePath = `${schedulesPath}{schedule_id}/`;
const ScheduleParams = Type.Object({ ...memberParams, schedule_id: Type.String({ maxLength: 64 }) });

export function scheduleRoutes(deps: ScheduleRoutesDeps): readonly RouteDeclaration[] {
  return [createRoute(deps), listRoute(deps), ...oneScheduleRoutes(deps)];
}

function createRoute(deps: ScheduleRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'POST',
    path: schedulesPath,
    surface: deps.surface,
    operationId: 'createAgentSchedule',
    tag,
    summary: 'Schedule a question to an agent.',
    description:
      'Each answer is sent to you by e-mail, or written to a project as a Markdown file. A run has the permissions that you have at that time. The schedule stops when you lose a required permission.',
    params: MemberParams,
    body: NewScheduleSchema,
    bodyBytesMax: 16 * 1024,
    responses: { 201: { description: 'The schedule.', schema: ScheduleSchema } },
    problems: [conflict, forbidden, notFound],
    handle: async ({ params, body, request, reply }) => {
      const schedule = {
        name: body.name,
        question: body.question,
        repeats: body.repeats,
        weekday: requireWeekday(body),
        hour: body.hour,
        timeZone: body.time_zone,
        ...requireDestination(body),
      };
      const asked = { ...agentsRequestOf(request, params), agentId: body.agent, schedule };
      const created = await createSchedule(deps, asked);
      return reply.code(201).header('cache-control', 'no-store').send(presentSchedule(created));
    },
  });
}

type NewScheduleBody = Static<typeof NewScheduleSchema>;

function requireWeekday({
  repeats,
  weekday = null,
}: Pick<NewScheduleBody, 'repeats' | 'weekday'>): number | null {
  if (repeats === 'weekly' && weekday === null) throw invalidField('weekday', 'is required');
  if (repeats !== 'weekly' && weekday !== null) throw invalidField('weekday', 'is only for weekly schedules');
  return weekday;
}

function requireDestination({
  deliver_to,
  project = null,
}: Pick<NewScheduleBody, 'deliver_to' | 'project'>): Destination {
  if (deliver_to === 'mail' && project !== null)
    throw invalidField('project', 'is only for delivery to a project');
  if (deliver_to === 'project' && project === null) throw invalidField('project', 'is required');
  return { projectId: project };
}

function listRoute(deps: ScheduleRoutesDeps): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: schedulesPath,
    surface: deps.surface,
    operationId: 'listAgentSchedules',
    tag,
    summary: 'List your schedules, newest first.',
    description: 'With the last run of each. Stopped schedules are listed for 90 days.',
    params: MemberParams,
    query: closedObject({
      agent: Type.Optional(Type.String({ maxLength: 64, description: 'Only schedules of this agent.' })),
    }),
    responses: { 200: { description: 'All schedules.', schema: Type.Array(ScheduleSchema) } },
    problems: [forbidden, notFound],
    handle: async ({ params, query, request, reply }) => {
      const asked = {
        ...agentsRequestOf(request, params),
        ...(query.agent !== undefined && { agentId: query.agent }),
      };
      const schedules = await listSchedules(deps, asked);
      return reply.header('cache-control', 'no-store').send(schedules.map(presentSchedule));
    },
  });
}

function oneScheduleRoutes(deps: ScheduleRoutesDeps): readonly RouteDeclaration[] {
  return [
    defineRoute({
      method: 'GET',
      path: schedulePath,
      surface: deps.surface,
      operationId: 'readAgentSchedule',
      tag,
      summary: 'Get a schedule.',
      params: ScheduleParams,
      responses: { 200: { description: 'The schedule.', schema: ScheduleSchema } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), scheduleId: params.schedule_id };
        const schedule = await readSchedule(deps, asked);
        return reply.header('cache-control', 'no-store').send(presentSchedule(schedule));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${schedulePath}run/`,
      surface: deps.surface,
      operationId: 'runAgentSchedule',
      tag,
      summary: 'Run a schedule now.',
      description:
        'A worker asks the question within seconds and delivers the answer like that of a due time, which does not change. 409 while a run is under way, within a minute of the last one, and if the schedule has stopped.',
      params: ScheduleParams,
      responses: { 202: { description: 'The schedule, with the new run.', schema: ScheduleSchema } },
      problems: [conflict, forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), scheduleId: params.schedule_id };
        const schedule = await runSchedule(deps, asked);
        return reply.code(202).header('cache-control', 'no-store').send(presentSchedule(schedule));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: schedulePath,
      surface: deps.surface,
      operationId: 'deleteAgentSchedule',
      tag,
      summary: 'End and delete a schedule.',
      description: 'Files that it wrote are not deleted. Unsent e-mail is cancelled.',
      params: ScheduleParams,
      responses: { 204: { description: 'Deleted.' } },
      problems: [forbidden, notFound],
      handle: async ({ params, request, reply }) => {
        const asked = { ...agentsRequestOf(request, params), scheduleId: params.schedule_id };
        await removeSchedule(deps, asked);
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    }),
  ];
}
