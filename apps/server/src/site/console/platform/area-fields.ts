import { html } from 'ghtml';

import { capabilities } from '../../../access/index.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { checkboxes } from '../../shell/form-controls.ts';
import { picker } from '../components/parts.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';
import { allCapabilities, platformCapabilities } from './capability-report.ts';
import { listThings, listedMax } from './listed-things.ts';
import type { PlatformPlace } from './platform-frame.ts';

/** The use of the picked permissions: platform tokens reach no files, API keys nothing else. */
export type PickedFor = 'policy' | 'token' | 'key';

const choicesFor: Readonly<Record<PickedFor, readonly capabilities.ActionChoice[]>> = {
  policy: capabilities.actionChoices(allCapabilities),
  token: capabilities.actionChoices(platformCapabilities),
  key: capabilities.actionChoices(storageCapabilities),
};

/** The actions of an installation; without storage none of files. */
export function actionChoicesOf(
  { tools }: Pick<PlatformPlace, 'tools'>,
  of: PickedFor,
): readonly capabilities.ActionChoice[] {
  return tools.files === null ? choicesFor.token : choicesFor[of];
}

const areaLabels: Readonly<Record<string, string>> = {
  Agents: 'Agents',
  Storage: 'Projects and files',
  Core: 'Organization, members and permissions',
};
const kindLabels: Readonly<Record<string, string>> = {
  projects: 'projects',
  agents: 'agents',
  'agent-templates': 'agent templates',
  members: 'members',
  'api-tokens': 'tokens',
  policies: 'policies',
  groups: 'groups',
};

/** Of a form: actions, and resources as `<kind>/<id>`. */
export interface PickedByArea {
  readonly can?: readonly string[];
  readonly on?: readonly string[];
}

export function isPickedByArea({ can = [], on = [] }: PickedByArea): boolean {
  return can.length > 0 || on.length > 0;
}

/** The choice; raises invalid choices and combinations. */
export function requirePickedByArea(
  place: PlatformPlace,
  { can = [], on = [] }: PickedByArea,
  of: PickedFor,
): capabilities.PickedPermissions {
  const choices = actionChoicesOf(place, of);
  const chosen = choices.filter(({ action }) => can.includes(action));
  if (chosen.length === 0) throw invalidField('can', 'Select at least one action');
  if (chosen.length < new Set(can).size) throw invalidField('can', 'Select an action from the list');
  const apart = on.find((thing) => !chosen.some(({ kind }) => kind === capabilities.kindOfThing(thing)));
  if (apart !== undefined) {
    const label = kindLabels[capabilities.kindOfThing(apart)] ?? 'these resources';
    throw invalidField('on', `Select at least one action for ${label}`);
  }
  if (on.some((thing) => thing.length === capabilities.kindOfThing(thing).length + 1))
    throw invalidField('on', 'Select an entry from the list');
  return { actions: can, things: on };
}

/** For each area its actions, and for each kind of resource in it the resources to choose from. */
export async function areaFields(
  place: PlatformPlace,
  picked: PickedByArea,
  problem: ProblemError | null,
  options: { readonly of: PickedFor; readonly mayGive: (choice: capabilities.ActionChoice) => boolean },
): Promise<string> {
  const choices = actionChoicesOf(place, options.of).filter(
    (choice) => options.mayGive(choice) || picked.can?.includes(choice.action) === true,
  );
  const sections: string[] = [];
  for (const [area, ofArea] of Map.groupBy(choices, (choice) => choice.area))
    sections.push(await areaSection(place, area, ofArea, picked));
  return html`<fieldset>
    <legend>Permissions by area</legend>
    <p class="hint">Open an area, select actions, then select the resources.</p>
    !${faultsOf(problem)} !${sections}
  </fieldset>`;
}

function faultsOf(problem: ProblemError | null): string {
  const faults = (problem?.errors ?? []).filter(({ name }) => name === 'can' || name === 'on');
  return faults.map(({ message }) => html`<p class="fault">${message}.</p>`).join('');
}

async function areaSection(
  place: PlatformPlace,
  area: string,
  choices: readonly capabilities.ActionChoice[],
  { can = [], on = [] }: PickedByArea,
): Promise<string> {
  const kinds = [...new Set(choices.map(({ kind }) => kind))].filter((kind) => kind in kindLabels);
  const things: string[] = [];
  for (const kind of kinds) things.push(await thingFields(place, kind, on));
  const isOpen =
    choices.some(({ action }) => can.includes(action)) ||
    on.some((thing) => kinds.includes(capabilities.kindOfThing(thing)));
  const actions = checkboxes({
    name: 'can',
    label: 'Actions',
    options: choices.map(({ action, words }) => ({
      value: action,
      label: words.charAt(0).toUpperCase() + words.slice(1),
    })),
    chosen: can,
  });
  return html`<details !${isOpen ? 'open' : ''}>
    <summary>${areaLabels[area] ?? area}</summary>
    !${actions} !${things}
  </details>`;
}

/** The resources of a kind; chosen ones stay, listed or not. */
async function thingFields(place: PlatformPlace, kind: string, on: readonly string[]): Promise<string> {
  const { things, hasMore } = await listThings(place, kind);
  const listed = things.map(({ id, label }) => ({ value: `${kind}/${id}`, label }));
  const unlisted = on
    .filter((thing) => capabilities.kindOfThing(thing) === kind)
    .filter((thing) => listed.every(({ value }) => value !== thing))
    .map((thing) => ({ value: thing, label: thing.slice(kind.length + 1) }));
  const options = [...unlisted, ...listed];
  if (options.length === 0) return '';
  const label = kindLabels[kind] ?? kind;
  const more = hasMore ? ` Only the first ${listedMax} are listed.` : '';
  return picker(place.visitor.language, {
    name: 'on',
    label: `Limit to ${label}`,
    hint: `Select none to include all ${label}, now and in the future.${more}`,
    options,
    chosen: on,
  });
}
