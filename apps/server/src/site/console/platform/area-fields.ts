import { html } from 'ghtml';

import { capabilities } from '../../../access/index.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { checkboxes } from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { pageLanguage, say, sayCount, sayKnown } from '../../shell/words/say.ts';
import { picker } from '../components/parts.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';
import { areaOfKind, capabilitiesIn, platformCapabilities } from './capability-report.ts';
import { listThings, listedMax } from './listed-things.ts';
import type { PlatformPlace } from './platform-frame.ts';

/** The use of the picked permissions: platform tokens reach no files, API keys nothing else. */
export type PickedFor = 'policy' | 'token' | 'key';

const choicesFor: Readonly<Record<Exclude<PickedFor, 'policy'>, readonly capabilities.ActionChoice[]>> = {
  token: capabilities.actionChoices(platformCapabilities),
  key: capabilities.actionChoices(storageCapabilities),
};

/** The actions of an installation; without storage none of files. */
export function actionChoicesOf(
  place: Pick<PlatformPlace, 'tools' | 'org'>,
  of: PickedFor,
): readonly capabilities.ActionChoice[] {
  if (of === 'policy') return capabilities.actionChoices(capabilitiesIn(place));
  return place.tools.files === null ? choicesFor.token : choicesFor[of];
}

const kindLabels: Readonly<Record<string, Text>> = {
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
  if (chosen.length === 0) throw invalidField('can', say('Select at least one action'));
  if (chosen.length < new Set(can).size) throw invalidField('can', say('Select an action from the list'));
  const apart = on.find((thing) => !chosen.some(({ kind }) => kind === capabilities.kindOfThing(thing)));
  if (apart !== undefined) {
    const kind = say(kindLabels[capabilities.kindOfThing(apart)] ?? 'Resources');
    throw invalidField('on', say('Select at least one action for {kind}', { kind }));
  }
  if (on.some((thing) => thing.length === capabilities.kindOfThing(thing).length + 1))
    throw invalidField('on', say('Select an entry from the list'));
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
  for (const [area, ofArea] of Map.groupBy(choices, ({ kind }) => areaOfKind(kind)))
    sections.push(await areaSection(place, area, ofArea, picked));
  return html`<fieldset class="areas">
    <legend>${say('Permissions by area')}</legend>
    <p class="hint">${say('Open an area, select actions, then select the resources.')}</p>
    !${faultsOf(problem)} !${sections}
  </fieldset>`;
}

function faultsOf(problem: ProblemError | null): string {
  const faults = (problem?.errors ?? []).filter(({ name }) => name === 'can' || name === 'on');
  return faults.map(({ message }) => html`<p class="fault">${message}.</p>`).join('');
}

async function areaSection(
  place: PlatformPlace,
  area: Text,
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
    label: say('Actions'),
    options: choices.map(({ action, words }) => ({ value: action, label: labelOf(words) })),
    chosen: can,
  });
  const chosen = choices.filter(({ action }) => can.includes(action)).length;
  const count = chosen === 0 ? '' : sayCount(chosen, '{count} selected', '{count} selected');
  return html`<details !${isOpen ? 'open' : ''}>
    <summary><span class="grow">${say(area)}</span> <small data-chosen>${count}</small></summary>
    <div class="columns">
      <div>!${actions}</div>
      <div>!${things}</div>
    </div>
  </details>`;
}

/** An action that lists and opens resources has the words of both. */
function labelOf(words: string): string {
  const label = words
    .split('; ')
    .map(sayKnown)
    .join(pageLanguage() === 'zh' ? '；' : '; ');
  return label.charAt(0).toUpperCase() + label.slice(1);
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
  const label = say(kindLabels[kind] ?? 'Resources');
  const more = hasMore ? ` ${say('Only the first {count} are listed.', { count: listedMax })}` : '';
  return picker(place.visitor.language, {
    name: 'on',
    label: say('Limit to {kind}', { kind: label }),
    hint: say('Select none to include all {kind}, now and in the future.', { kind: label }) + more,
    options,
    chosen: on,
  });
}
