import { capabilities, permissions } from '../access/index.ts';

/** The actions on resources of this domain. */
export const agentActions = {
  read: permissions.defineAction('Daybook.Agents/Agents/read'),
  create: permissions.defineAction('Daybook.Agents/Agents/create'),
  update: permissions.defineAction('Daybook.Agents/Agents/update'),
  delete: permissions.defineAction('Daybook.Agents/Agents/delete'),
};
export const templateActions = {
  read: permissions.defineAction('Daybook.Agents/Templates/read'),
  create: permissions.defineAction('Daybook.Agents/Templates/create'),
  delete: permissions.defineAction('Daybook.Agents/Templates/delete'),
};

export const answerActions = {
  read: permissions.defineAction('Daybook.Agents/Answers/read'),
  create: permissions.defineAction('Daybook.Agents/Answers/create'),
  delete: permissions.defineAction('Daybook.Agents/Answers/delete'),
};

/** On the schedules of an agent. */
export const scheduleActions = {
  read: permissions.defineAction('Daybook.Agents/Schedules/read'),
  create: permissions.defineAction('Daybook.Agents/Schedules/create'),
  delete: permissions.defineAction('Daybook.Agents/Schedules/delete'),
};

const inAgents =
  (inside: 'answers' | 'schedules') =>
  (action: permissions.Action, words: string): capabilities.Capability => ({
    action,
    kind: ['agents'],
    on: 'collection',
    inside,
    words,
  });
const ofAnswers = inAgents('answers');
const ofSchedules = inAgents('schedules');

export const agentCapabilities: readonly capabilities.Capability[] = [
  ...capabilities.capabilitiesOf('agents', agentActions, 'agents'),
  ...capabilities.capabilitiesOf('agent-templates', templateActions, 'agent templates'),
  ofAnswers(answerActions.create, 'ask agents'),
  ofAnswers(answerActions.read, 'read answers of agents'),
  ofAnswers(answerActions.delete, 'delete answers of agents'),
  ofSchedules(scheduleActions.create, 'schedule questions to agents'),
  ofSchedules(scheduleActions.read, 'see schedules of agents'),
  ofSchedules(scheduleActions.delete, 'end schedules of agents'),
];

const manage = Object.values(agentActions).map(({ text }) => text);

export const agentPresets: readonly capabilities.PermissionPreset[] = [
  {
    id: 'read-agents',
    label: 'Read agents: list, search and open',
    actions: [agentActions.read.text],
    kinds: ['agents'],
  },
  {
    id: 'manage-agents',
    label: 'Manage agents: create from templates, change and delete',
    actions: [...manage, templateActions.read.text],
    kinds: ['agents', 'agent-templates'],
  },
];
