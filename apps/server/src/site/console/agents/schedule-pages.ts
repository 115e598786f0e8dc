import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { agents, scheduleActions } from '../../../agents/index.ts';
import type { Schedule, ScheduleDeps } from '../../../agents/schedules/index.ts';
import { ScheduleSchema, schedules } from '../../../agents/schedules/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { field, form, problemNotice, select } from '../../shell/form-controls.ts';
import { card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { readableProjects } from '../platform/agent-fields.ts';
import type { PlatformTools } from '../platform/platform-frame.ts';
import {
  callerOfVisitor,
  mayIn,
  organizationParams,
  platformPage,
  platformPath,
} from '../platform/platform-frame.ts';
import { removalPages } from '../platform/removal-pages.ts';
import type { Visitor } from '../visitor.ts';
import { agentTabs } from './agent-tabs.ts';
import { scheduleTable } from './schedule-table.ts';
import { scheduleWords } from './schedule-words.ts';

export type ScheduleTools = PlatformTools & Pick<ScheduleDeps, 'scheduleFiles' | 'sendsMail'>;

const Params = Type.Object(organizationParams);
const AgentParams = Type.Object({ ...organizationParams, id: Type.String({ maxLength: 64 }) });
const ScheduleParams = Type.Object({ ...organizationParams, schedule: Type.String({ maxLength: 64 }) });
const { name, question, time_zone } = ScheduleSchema.properties;
const repetitions = ['daily', 'weekdays', ...[1, 2, 3, 4, 5, 6, 7].map((day) => `weekly-${day}`)];
const mail = 'mail';
const ScheduleForm = closedObject({
  name,
  question,
  repeats: Type.Enum(repetitions),
  hour: Type.String({ pattern: '^(?:[01]?[0-9]|2[0-3])$' }),
  time_zone,
  /** `mail`, or the id of a project. */
  deliver_to: Type.String({ maxLength: 64 }),
});
type Typed = Partial<Static<typeof ScheduleForm>>;
const problems = [conflict, forbidden, notFound];
const agentPath = '/platform/{org}/agents/{id}/schedules';

/** Scheduling questions, their last runs, and ending them. */
export function schedulePages(tools: ScheduleTools): readonly RouteDeclaration[] {
  return [listPage(tools), agentPage(tools), createForm(tools), runForm(tools), ...removal(tools)];
}

const depsOf = ({ access, scheduleFiles, sendsMail }: ScheduleTools): ScheduleDeps => ({
  ...access,
  scheduleFiles,
  sendsMail,
});

const requestOf = (visitor: Visitor, org: string) => ({
  caller: callerOfVisitor(visitor),
  organizationKey: org,
  username: visitor.account.username,
});

/** Those of all agents, also of deleted ones. */
function listPage(tools: ScheduleTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}/schedules',
    operationId: 'showSchedules',
    params: Params,
    problems: [forbidden, notFound],
    show: async ({ visitor, params: { org } }) => listOf(tools, visitor, org),
  });
}

async function listOf(
  tools: ScheduleTools,
  visitor: Visitor,
  org: string,
  problem?: ProblemError,
): Promise<PersonalPage> {
  const found = await schedules.listSchedules(depsOf(tools), requestOf(visitor, org));
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: scheduleWords(visitor.language).schedules,
    tabs: agentTabs(org, visitor.language, 'schedules'),
    main: html`!${problemNotice(problem)} !${await table(tools, visitor, { org }, found)}`,
  });
}

function agentPage(tools: ScheduleTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: agentPath,
    operationId: 'showAgentSchedules',
    params: AgentParams,
    problems: [forbidden, notFound],
    show: async ({ visitor, params }) => schedulesPage(tools, visitor, params),
  });
}

function createForm(tools: ScheduleTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: agentPath,
    operationId: 'createScheduleOnPage',
    params: AgentParams,
    body: ScheduleForm,
    problems,
    show: async ({ visitor, params, body, client }) => {
      const [repeats = 'daily', day] = body.repeats.split('-');
      const schedule = {
        name: body.name,
        question: body.question,
        repeats: repeats as Schedule['repeats'],
        weekday: day === undefined ? null : Number(day),
        hour: Number(body.hour),
        timeZone: body.time_zone,
        projectId: body.deliver_to === mail ? null : body.deliver_to,
      };
      const asked = { ...requestOf(visitor, params.org), agentId: params.id, schedule, client };
      await schedules.createSchedule(depsOf(tools), asked);
      return { to: platformPath(params.org, 'agents', params.id, 'schedules') };
    },
    refused: async ({ visitor, params, body }, problem) =>
      schedulesPage(tools, visitor, params, { typed: body, problem }),
  });
}

function runForm(tools: ScheduleTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: '/platform/{org}/schedules/{schedule}/run',
    operationId: 'runScheduleOnPage',
    params: ScheduleParams,
    problems,
    show: async ({ visitor, params, client }) => {
      const asked = { ...requestOf(visitor, params.org), scheduleId: params.schedule, client };
      const { agentId } = await schedules.runSchedule(depsOf(tools), asked);
      return { to: platformPath(params.org, 'agents', agentId, 'schedules') };
    },
    refused: async ({ visitor, params: { org } }, problem) => listOf(tools, visitor, org, problem),
  });
}

function removal(tools: ScheduleTools): readonly RouteDeclaration[] {
  return removalPages(tools, {
    path: '/platform/{org}/schedules/{schedule}/remove',
    operationId: 'removeScheduleOnPage',
    params: ScheduleParams,
    problems: [forbidden, notFound],
    describe: async ({ visitor, params }) => {
      const words = scheduleWords(visitor.language);
      const asked = { ...requestOf(visitor, params.org), scheduleId: params.schedule };
      const found = await schedules.readSchedule(depsOf(tools), asked);
      return {
        org: params.org,
        tab: 'agents',
        title: words.removeTitle(found.name),
        consequences: html`<p>${found.question}</p>
          <p>${words.removeText}</p>`,
        submit: words.remove,
        action: platformPath(params.org, 'schedules', params.schedule, 'remove'),
        back: platformPath(params.org, 'schedules'),
      };
    },
    remove: async ({ visitor, params, client }) => {
      const asked = { ...requestOf(visitor, params.org), scheduleId: params.schedule, client };
      await schedules.removeSchedule(depsOf(tools), asked);
      return { to: platformPath(params.org, 'schedules') };
    },
  });
}

interface Place {
  readonly org: string;
  readonly id: string;
}

async function schedulesPage(
  tools: ScheduleTools,
  visitor: Visitor,
  { org, id }: Place,
  { typed = {}, problem }: { readonly typed?: Typed; readonly problem?: ProblemError } = {},
): Promise<PersonalPage> {
  const words = scheduleWords(visitor.language);
  const agent = await agents.readAgent(tools.access, { ...requestOf(visitor, org), agentId: id });
  const found = await schedules.listSchedules(depsOf(tools), { ...requestOf(visitor, org), agentId: id });
  const may = await mayIn(tools, visitor, org);
  const creating = may(scheduleActions.create, 'agents', id, 'schedules')
    ? card({
        title: words.schedule,
        isPadded: true,
        content: await scheduleForm(tools, visitor, { org, id }, typed, problem),
      })
    : '';
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: words.schedules,
    crumbs: [{ href: platformPath(org, 'agents', id), label: agent.displayName }],
    main: html`!${problemNotice(problem)} !${await table(tools, visitor, { org, id }, found)} !${creating}`,
  });
}

async function table(
  tools: ScheduleTools,
  visitor: Visitor,
  { org, id }: { readonly org: string; readonly id?: string },
  found: readonly Schedule[],
): Promise<string> {
  const may = await mayIn(tools, visitor, org);
  return scheduleTable(found, {
    org,
    language: visitor.language,
    now: tools.identity.clock.now(),
    isOfOneAgent: id !== undefined,
    mayRun: ({ agentId }) => may(scheduleActions.create, 'agents', agentId, 'schedules'),
    mayEnd: ({ agentId }) => may(scheduleActions.delete, 'agents', agentId, 'schedules'),
  });
}

async function scheduleForm(
  tools: ScheduleTools,
  visitor: Visitor,
  { org, id }: Place,
  typed: Typed,
  problem: ProblemError | undefined,
): Promise<string> {
  const { language } = visitor;
  const words = scheduleWords(language);
  const projects = tools.scheduleFiles === null ? [] : await readableProjects(tools, visitor, org);
  const zone = typed.time_zone ?? (language === 'zh' ? 'Asia/Shanghai' : 'UTC');
  const destinations = [
    ...(tools.sendsMail ? [{ value: mail, label: words.mail }] : []),
    ...projects.map(({ value, label }) => ({ value, label: words.project(label) })),
  ];
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `${String(hour).padStart(2, '0')}:00`,
  }));
  const times = repetitions.map((value) => ({ value, label: repetitionLabel(value, language) }));
  const fields = html`!${field({
    name: 'name',
    label: words.name,
    hint: words.nameHint,
    value: typed.name ?? '',
    maxLength: 100,
    problem,
  })}
  !${field({
    name: 'question',
    label: words.question,
    hint: words.questionHint,
    value: typed.question ?? '',
    rows: 3,
    maxLength: 2_000,
    problem,
  })}
  !${select({ name: 'repeats', label: words.repeats, options: times, chosen: [typed.repeats ?? 'daily'] })}
  !${select({ name: 'hour', label: words.hour, options: hours, chosen: [typed.hour ?? '8'] })}
  !${field({
    name: 'time_zone',
    label: words.timeZone,
    hint: words.timeZoneHint,
    value: zone,
    maxLength: 64,
    suggestions: Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value })),
    problem,
  })}
  !${select({
    name: 'deliver_to',
    label: words.deliverTo,
    hint: words.rights,
    options: destinations,
    chosen: [typed.deliver_to ?? mail],
  })}`;
  return form({ action: platformPath(org, 'agents', id, 'schedules'), submit: words.create, fields });
}

function repetitionLabel(value: string, language: Visitor['language']): string {
  const words = scheduleWords(language);
  const [repeats, day] = value.split('-');
  if (day !== undefined) return words.weekly(words.days[Number(day) - 1] ?? '');
  return repeats === 'daily' ? words.daily : words.weekdays;
}
