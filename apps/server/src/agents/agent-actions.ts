import { permissions } from '../access/index.ts';

/** What can be done to the things of this domain. */
export const agentActions = {
  read: permissions.defineAction('Daybook.Agents/Agents/read'),
  create: permissions.defineAction('Daybook.Agents/Agents/create'),
  update: permissions.defineAction('Daybook.Agents/Agents/update'),
};
export const templateActions = {
  read: permissions.defineAction('Daybook.Agents/Templates/read'),
  create: permissions.defineAction('Daybook.Agents/Templates/create'),
  delete: permissions.defineAction('Daybook.Agents/Templates/delete'),
};
