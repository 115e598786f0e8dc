import { html } from 'ghtml';
import { Type } from 'typebox';

import { groups, members, policies } from '../../../access/index.ts';
import { checkboxes, hidden } from '../../shell/form-controls.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import { callerOfVisitor, mayIn, platformTabs } from './platform-frame.ts';

const entriesMax = 500;
const entries = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: entriesMax }));

/** What is checked now, and what was when the page was shown: only what the person changed is changed. */
export function relationProperties<Name extends string>(name: Name) {
  return { [name]: entries, [`${name}_before`]: entries } as Record<Name | `${Name}_before`, typeof entries>;
}

/** What was checked when something was wrong, beside what was attached before. */
export interface RelationFilled {
  readonly now?: readonly string[] | undefined;
  readonly before?: readonly string[] | undefined;
}

export interface RelationForm {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** What is attached. */
  readonly chosen: readonly string[];
  readonly filled?: RelationFilled;
}

export function relationField({ chosen, filled = {}, ...form }: RelationForm): string {
  const known = new Set(form.options.map(({ value }) => value));
  const checked = filled.now ?? (filled.before === undefined ? chosen : []);
  const rest = [...new Set([...chosen, ...checked])]
    .filter((value) => !known.has(value))
    .map((value) => ({ value, label: value }));
  if (rest.length + form.options.length === 0) return '';
  return html`!${checkboxes({ ...form, options: [...rest, ...form.options], chosen: checked })}
  !${(filled.before ?? chosen).map((value) => hidden(`${form.name}_before`, value))}`;
}

export function relationChange(
  now: readonly string[] = [],
  before: readonly string[] = [],
): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  return {
    add: now.filter((value) => !before.includes(value)),
    remove: before.filter((value) => !now.includes(value)),
  };
}

/** Numbers that came as text; what is none becomes one that nothing has. */
export function numbersOf(texts: readonly string[]): readonly number[] {
  return texts.map((text) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0));
}

/** The newest of them, to whoever may read them; whoever has more attaches the others through the API. */
export async function policyOptions(tools: PlatformTools, visitor: Visitor, org: string) {
  const { access } = tools;
  const { read, kind } = platformTabs.policies;
  if (!(await mayIn(tools, visitor, org))(read, ...kind)) return [];
  const query = { platform_key: org, limit: 100 };
  const { data } = await policies.listPolicies(access, callerOfVisitor(visitor), query, optionOf);
  return data;
}

export async function memberOptions(tools: PlatformTools, visitor: Visitor, org: string) {
  const { read, kind } = platformTabs.members;
  if (!(await mayIn(tools, visitor, org))(read, ...kind)) return [];
  const query = { platform_key: org, limit: 100 };
  const optionOfMember = ({ username, name }: { readonly username: string; readonly name: string }) => ({
    value: username,
    label: `${name} (${username})`,
  });
  const caller = callerOfVisitor(visitor);
  const { data } = await members.listMembers(tools.access, caller, query, optionOfMember);
  return data;
}

export async function groupOptions(tools: PlatformTools, visitor: Visitor, org: string) {
  const { access } = tools;
  const { read, kind } = platformTabs.groups;
  if (!(await mayIn(tools, visitor, org))(read, ...kind)) return [];
  const query = { platform_key: org, limit: 100 };
  const { data } = await groups.listGroups(access, callerOfVisitor(visitor), query, optionOf);
  return data;
}

function optionOf({ id, name }: { readonly id: number; readonly name: string }) {
  return { value: String(id), label: `${id}: ${name}` };
}
