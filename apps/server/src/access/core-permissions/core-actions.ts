import type { Action } from '../permissions/action.ts';
import { defineAction } from '../permissions/action.ts';

interface CoreActions {
  readonly read: Action;
  readonly create: Action;
  readonly update: Action;
  readonly delete: Action;
}

/** The actions on resources of this domain. */
export const organizationActions = actionsOn('Organization');
export const policyActions = actionsOn('Policies');
export const groupActions = actionsOn('Groups');
export const memberActions = actionsOn('Members');
export const apiTokenActions = actionsOn('ApiTokens');

/** To see and change the resources of other members. */
export const actForMembers = defineAction('Daybook.Core/Members/act_for');
export const readAuditEvents = defineAction('Daybook.Core/AuditEvents/read');

function actionsOn(resource: string): CoreActions {
  const action = (verb: string): Action => defineAction(`Daybook.Core/${resource}/${verb}`);
  return {
    read: action('read'),
    create: action('create'),
    update: action('update'),
    delete: action('delete'),
  };
}
