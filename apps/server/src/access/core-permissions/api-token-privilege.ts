import type { Action } from '../permissions/action.ts';
import { defineAction } from '../permissions/action.ts';

/** Fields of a platform token that determine its permissions; each requires its own permission. */
export const apiTokenFields = [
  'mode',
  'policies_to_add',
  'policies_to_remove',
  'groups_to_add',
  'groups_to_remove',
] as const;

export type ApiTokenField = (typeof apiTokenFields)[number];

/** All five at once. Neither `Daybook.Core/ApiTokens/*` nor a plain verb includes it: it has one more segment. */
export const apiTokenPrivilege = 'Daybook.Core/ApiTokens/*/write';

export function apiTokenFieldAction(field: ApiTokenField): Action {
  return defineAction(`Daybook.Core/ApiTokens/${field}/write`);
}
