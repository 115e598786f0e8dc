import { html } from 'ghtml';
import { Type } from 'typebox';

import { groups, members, policies } from '../../../access/index.ts';
import { checkboxes, hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformPlace, PlatformTools } from './platform-frame.ts';
import { callerOfVisitor, mayIn, platformTabs } from './platform-frame.ts';

const entriesMax = 500;
const entries = Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: entriesMax }));
const sought = Type.Optional(Type.String({ maxLength: 200 }));

/** Set where a form was sent to search, and not to save. */
export const findProperty = { find: Type.Optional(Type.String({ maxLength: 100 })) };

/**
 * The checked ones, and those attached when the page was shown: only the person's changes are applied, and hidden ones
 * stay. Then the search text.
 */
export function relationProperties<Name extends string>(name: Name) {
  return { [name]: entries, [`${name}_before`]: entries, [`${name}_query`]: sought } as Record<
    Name | `${Name}_before`,
    typeof entries
  > &
    Record<`${Name}_query`, typeof sought>;
}

/** The submitted values of a form that is shown again. */
export interface RelationFilled {
  readonly now?: readonly string[] | undefined;
  readonly before?: readonly string[] | undefined;
  readonly query?: string | undefined;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** The resources that can be attached. */
export interface RelationSource {
  /** Those whose name contains the text, newest first, and one more than shown; all without a text. */
  readonly find: (query: string | undefined) => Promise<readonly Option[]>;
  readonly name: (values: readonly string[]) => Promise<readonly Option[]>;
}

export interface RelationForm {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly source: RelationSource;
  /** The attached ones. */
  readonly chosen: readonly string[];
  readonly filled?: RelationFilled;
  /** HTML where none exists; by default nothing. */
  readonly none?: string;
}

/** Maximum shown at once; more are found by name. */
export const optionsMax = 20;

/** Check boxes for attached, changed and found ones. */
export async function relationField(relation: RelationForm): Promise<string> {
  const { name, label, source, chosen, filled = {}, none = '' } = relation;
  const query = filled.query?.trim() === '' ? undefined : filled.query?.trim();
  const found = await source.find(query);
  const isLong = query !== undefined || found.length > optionsMax;
  const { add, remove } = relationChange(filled.now, filled.before);
  const attached = query === undefined ? chosen.slice(0, optionsMax) : [];
  const matches = isLong && query === undefined ? [] : found.slice(0, optionsMax).map(({ value }) => value);
  const values = [...new Set([...add, ...remove, ...attached, ...matches])];
  if (values.length === 0 && !isLong) return none;
  const known = new Map(found.map((option) => [option.value, option]));
  const named = await source.name(values.filter((value) => !known.has(value)));
  for (const option of named) known.set(option.value, option);
  const isChecked = (value: string): boolean =>
    add.includes(value) || (chosen.includes(value) && !remove.includes(value));
  const boxes = checkboxes({
    name,
    label,
    hint: [relation.hint, ...shownOf(values, chosen, { query, found: found.length })].join(' '),
    options: values.map((value) => known.get(value) ?? { value, label: value }),
    chosen: values.filter(isChecked),
  });
  const before = values.filter((value) => chosen.includes(value));
  return html`!${boxes} !${before.map((value) => hidden(`${name}_before`, value))}
  !${isLong ? findRow(name, label, query) : ''}`;
}

/** The note where not all are shown. */
function shownOf(
  values: readonly string[],
  chosen: readonly string[],
  { query, found }: { readonly query: string | undefined; readonly found: number },
): readonly string[] {
  const unseen = chosen.filter((value) => !values.includes(value)).length;
  return [
    ...(unseen > 0
      ? [
          say('{count} of {all} attached entries are not shown. Search by name to find them.', {
            count: unseen,
            all: chosen.length,
          }),
        ]
      : []),
    ...(query !== undefined && found === 0 ? [say('No matches.')] : []),
    ...(query !== undefined && found > optionsMax
      ? [say('Showing the newest {optionsMax} matches.', { optionsMax })]
      : []),
  ];
}

function findRow(name: string, label: string, query = ''): string {
  const id = `${name}_query`;
  return html`<div class="field">
    <label for="${id}">${say('Find {kind} by name', { kind: label.toLowerCase() })}</label>
    <div class="row">
      <input id="${id}" name="${id}" type="search" value="${query}" maxlength="200" />
      <button type="submit" name="find" value="${name}" formnovalidate>
        ${say('Find {kind}', { kind: label.toLowerCase() })}
      </button>
    </div>
  </div>`;
}

/** Above a form that returns from a search. */
export const notSavedYet = (): string => say('Not saved yet. Your selection is preserved.');

export function relationChange(
  now: readonly string[] = [],
  before: readonly string[] = [],
): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  return {
    add: now.filter((value) => !before.includes(value)),
    remove: before.filter((value) => !now.includes(value)),
  };
}

/** Parses numbers; invalid text becomes a number that no row has. */
export function numbersOf(texts: readonly string[]): readonly number[] {
  return texts.map((text) => (/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0));
}

const limit = optionsMax + 1;

export function policySource(tools: PlatformTools, visitor: Visitor, org: string): Promise<RelationSource> {
  return numberedSource({ tools, visitor, org }, 'policies', policies.listPolicies, policies.readPolicies);
}

export function groupSource(tools: PlatformTools, visitor: Visitor, org: string): Promise<RelationSource> {
  return numberedSource({ tools, visitor, org }, 'groups', groups.listGroups, groups.readGroups);
}

/** For visitors who may read them; others get an empty choice. */
async function numberedSource(
  { tools, visitor, org }: PlatformPlace,
  tab: 'policies' | 'groups',
  list: typeof groups.listGroups<Option>,
  read: typeof groups.readGroups,
): Promise<RelationSource> {
  const { kind, read: reading } = platformTabs[tab];
  if (!(await mayIn(tools, visitor, org))(reading, ...kind)) return nothing;
  const caller = callerOfVisitor(visitor);
  return {
    find: async (query) =>
      (await list(tools.access, caller, { platform_key: org, limit, ...queryOf(query) }, optionOf)).data,
    name: async (values) =>
      (await read(tools.access, caller, { platformKey: org, ids: numbersOf(values) })).map(optionOf),
  };
}

export async function memberSource(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
): Promise<RelationSource> {
  const { access } = tools;
  const { read, kind } = platformTabs.members;
  if (!(await mayIn(tools, visitor, org))(read, ...kind)) return nothing;
  const caller = callerOfVisitor(visitor);
  const optionOfMember = ({ username, name }: { readonly username: string; readonly name: string }) => ({
    value: username,
    label: `${name} (${username})`,
  });
  return {
    find: async (query) => {
      const asked = { platform_key: org, limit, ...queryOf(query) };
      return (await members.listMembers(access, caller, asked, optionOfMember)).data;
    },
    name: async (usernames) =>
      (await members.readMembers(access, caller, { platformKey: org, usernames })).map(optionOfMember),
  };
}

const nothing: RelationSource = { find: async () => [], name: async () => [] };

function queryOf(query: string | undefined): { readonly query?: string } {
  return query === undefined ? {} : { query };
}

function optionOf({ id, name }: { readonly id: number; readonly name: string }): Option {
  return { value: String(id), label: `${id}: ${name}` };
}
