import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { capabilities } from '../../../access/index.ts';
import type { permissions, policies } from '../../../access/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { isReadableName } from '../../../foundation/readable-name.ts';
import { field, hidden, notice, radios } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { beside, buttonLink } from '../components/parts.ts';
import { actionChoicesOf, areaFields, isPickedByArea } from './area-fields.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { linesOf, platformPath } from './platform-frame.ts';
import { pickedProperties, policyReport, previewButton, textByArea } from './policy-picker.ts';

const { can, on, preview } = pickedProperties;

/** A policy as chosen from lists or, with `as`, as text. */
export const PolicyForm = closedObject({
  name: Type.Optional(Type.String({ maxLength: 400 })),
  can,
  on,
  as: Type.Optional(Type.Union([Type.Literal('lists'), Type.Literal('text')])),
  actions: Type.Optional(Type.String({ maxLength: 40_000 })),
  resources: Type.Optional(Type.String({ maxLength: 60_000 })),
  preview,
});

export type PolicyFilled = Static<typeof PolicyForm>;
type Policy = Awaited<ReturnType<typeof policies.readPolicy>>;

/** The policy of a form; raises what is missing. */
export function policyOfForm(
  place: PlatformPlace,
  filled: PolicyFilled,
): permissions.WrittenPolicy & { readonly name: string } {
  const name = (filled.name ?? '').trim();
  if (!isReadableName(name)) throw invalidField('name', say('Use a name of 1 to 100 characters'));
  return { name, ...writtenOf(place, filled).written };
}

interface Written {
  readonly written: permissions.WrittenPolicy;
  /** Without the limit to single resources. */
  readonly asked: permissions.WrittenPolicy;
}

function writtenOf(place: PlatformPlace, filled: PolicyFilled): Written {
  if (filled.as !== 'text') return textByArea(place, filled, 'policy');
  const { actions = '', resources = '' } = filled;
  const written = { actions: linesOf(actions), resources: linesOf(resources) };
  return { written, asked: written };
}

/** A new or a stored policy, and the values of a form that is shown again. */
export interface PolicyDraft {
  readonly policy: Policy | null;
  readonly filled?: PolicyFilled;
  readonly problem?: ProblemError | null;
}

interface Shown extends Written {
  readonly name: string;
  /** Null where the lists cannot show the policy. */
  readonly picked: { readonly can: readonly string[]; readonly on: readonly string[] } | null;
  readonly isText: boolean;
}

const nothing: permissions.WrittenPolicy = { actions: [], resources: [] };

function shownOf(place: PlatformPlace, { policy, filled, problem }: PolicyDraft): Shown {
  const name = filled?.name ?? policy?.name ?? '';
  if (filled !== undefined && filled.as !== 'text') {
    const picked = { can: filled.can ?? [], on: filled.on ?? [] };
    const isComplete = isPickedByArea(picked) && !isRefused(problem);
    const text = isComplete ? writtenOf(place, filled) : { written: nothing, asked: nothing };
    return { name, picked, isText: false, ...text };
  }
  const text =
    filled === undefined
      ? { written: policy ?? nothing, asked: policy ?? nothing }
      : writtenOf(place, filled);
  const found = capabilities.pickedOfPolicy(text.written, place.org, actionChoicesOf(place, 'policy'));
  const picked = found === null ? null : { can: found.actions, on: found.things };
  return { name, picked, isText: filled !== undefined || picked === null, ...text };
}

/** A choice that was refused has no text. */
function isRefused(problem: ProblemError | null | undefined): boolean {
  return (problem?.errors ?? []).some(({ name }) => name === 'can' || name === 'on');
}

/** The one form of policies: from lists or as text, beside what the policy allows and does not allow. */
export async function policyEditor(place: PlatformPlace, draft: PolicyDraft): Promise<string> {
  const { org } = place;
  const { policy, problem = null } = draft;
  const shown = shownOf(place, draft);
  const here = platformPath(org, 'policies', ...(policy === null ? [] : [String(policy.id)]));
  const { picked, isText } = shown;
  const lists =
    picked === null
      ? notice(
          'plain',
          html`<p>
            ${say('This policy contains patterns that the lists cannot show. It can be edited as text.')}
          </p>`,
        )
      : await areaFields(place, picked, problem, { of: 'policy', mayGive: () => true });
  const main = html`!${nameField(shown.name, problem)}
    !${picked === null ? hidden('as', 'text') : modes(isText)}
    <div class="lists">!${lists}</div>
    <div class="text">!${textFields(shown, problem)}</div>
    <div class="row">
      <button type="submit" class="btn primary">${say(policy === null ? 'Create policy' : 'Save')}</button>
      !${previewButton()} !${buttonLink({ href: platformPath(org, 'policies'), label: say('Cancel') })}
    </div>`;
  return html`<form method="post" action="${here}" class="editor">
    !${beside(main, await policyReport(place, 'policy', shown))}
  </form>`;
}

function modes(isText: boolean): string {
  return radios({
    name: 'as',
    label: say('How to enter the permissions'),
    options: [
      { value: 'lists', label: say('Choose from lists') },
      { value: 'text', label: say('Write as text') },
    ],
    chosen: [isText ? 'text' : 'lists'],
  });
}

function nameField(value: string, problem: ProblemError | null): string {
  return field({ name: 'name', label: say('Name'), value, maxLength: 100, autocomplete: 'off', problem });
}

function textFields({ written: { actions, resources } }: Shown, problem: ProblemError | null): string {
  return [
    field({
      name: 'actions',
      label: say('Actions'),
      hint: say(
        'One per line: Daybook.<Area>/<Resource>/<verb>. * matches one segment, a final ** all remaining segments.',
      ),
      value: actions.join('\n'),
      rows: 5,
      required: false,
      problem,
    }),
    field({
      name: 'resources',
      label: say('Resources'),
      hint: say(
        'One per line: /organizations/<key>/<kind>/<id>. ** matches everything inside, not the resource itself.',
      ),
      value: resources.join('\n'),
      rows: 5,
      required: false,
      problem,
    }),
  ].join('');
}
