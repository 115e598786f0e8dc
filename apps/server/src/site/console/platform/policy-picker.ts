import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { callers, capabilities, permissions } from '../../../access/index.ts';
import { agentPresets } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { checkboxes, field, form } from '../../shell/form-controls.ts';
import { storagePresets } from '../storage/storage-capabilities.ts';
import type { PickedFor } from './area-fields.ts';
import { actionChoicesOf, areaFields, isPickedByArea, requirePickedByArea } from './area-fields.ts';
import { allCapabilities, capabilityReport, platformCapabilities } from './capability-report.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { callerOfVisitor, platformPath } from './platform-frame.ts';
import { findThing, nameThings } from './resource-names.ts';

/** Jobs and their resources, or actions and resources by area. */
export const pickedProperties = {
  jobs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  only: Type.Optional(Type.String({ maxLength: 200 })),
  can: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
  on: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })),
  preview: Type.Optional(Type.Literal('yes')),
};

/** A policy as picked in the form. */
export const PickedPolicy = closedObject({
  name: Type.Optional(Type.String({ maxLength: 400 })),
  ...pickedProperties,
});

export type Picked = Partial<Static<typeof PickedPolicy>>;

/** The statements of a policy, and those of the jobs without a choice of resources. */
export interface PickedText {
  readonly written: permissions.WrittenPolicy;
  readonly asked: permissions.WrittenPolicy;
}

const presetsFor: Readonly<Record<PickedFor, readonly capabilities.PermissionPreset[]>> = {
  policy: [...agentPresets, ...storagePresets, ...capabilities.corePresets],
  token: [...agentPresets, ...capabilities.corePresets],
  key: storagePresets,
};
const nounsFor: Readonly<Record<PickedFor, string>> = {
  policy: 'project, agent, policy, group, token or member',
  token: 'agent, policy, group, token or member',
  key: 'project',
};

/** The actions and resources of the choice. */
export async function pickedText(
  place: PlatformPlace,
  picked: Picked,
  of: PickedFor = 'policy',
): Promise<PickedText> {
  if (isPickedByArea(picked)) return textByArea(place, picked, of);
  const chosen = presetsFor[of].filter(({ id }) => picked.jobs?.includes(id) === true);
  if (chosen.length === 0) throw invalidField('jobs', 'Select at least one permission');
  const kinds = [...new Set(chosen.flatMap(({ kinds: of }) => of))];
  const only = await findThing(place, kinds, (picked.only ?? '').trim());
  const kind = only?.kind ?? null;
  const apart = chosen.find((preset) => kind !== null && !preset.kinds.includes(kind));
  if (apart !== undefined)
    throw invalidField('only', `The limit does not apply to “${apart.label}”. Create a separate policy`);
  return {
    written: capabilities.policyOfPresets(chosen, place.org, only),
    asked: capabilities.policyOfPresets(chosen, place.org, null),
  };
}

function textByArea(place: PlatformPlace, picked: Picked, of: PickedFor): PickedText {
  if ((picked.jobs ?? []).length > 0 || (picked.only ?? '').trim() !== '')
    throw invalidField('jobs', 'Select either common permissions or permissions by area, not both');
  const chosen = requirePickedByArea(place, picked, of);
  const choices = actionChoicesOf(place, of);
  return {
    written: capabilities.policyOfPicked(chosen, place.org, choices),
    asked: capabilities.policyOfPicked({ ...chosen, things: [] }, place.org, choices),
  };
}

function authorityOf(written: permissions.WrittenPolicy, org: string): permissions.Authority {
  const parsed = permissions.parsePolicy(written, org);
  return permissions.compileAuthority(parsed.ok ? [parsed.value] : []);
}

/** A policy's permissions in sentences, before and after it is saved, with requested but missing ones. */
export async function policyReport(
  place: PlatformPlace,
  subject: string,
  {
    written,
    asked = written,
  }: { readonly written: permissions.WrittenPolicy; readonly asked?: permissions.WrittenPolicy },
): Promise<string> {
  const { org, tools } = place;
  const authority = authorityOf(written, org);
  const of = tools.files === null ? platformCapabilities : allCapabilities;
  const { cannot } = capabilities.reportCapabilities(authority, org, of);
  const { can: wanted } = capabilities.reportCapabilities(authorityOf(asked, org), org, of);
  const missing = cannot.filter((words) => wanted.includes(words));
  const notGiven =
    missing.length === 0
      ? ''
      : html`<p>
          <strong>It cannot ${missing.join(', ')}</strong>: these permissions require access to all resources
          of a kind, and this policy is limited to one.
        </p>`;
  return capabilityReport({
    subject,
    org,
    authority,
    of,
    nameOf: await nameThings(place, authority),
    notGiven,
  });
}

/** Common jobs and their resource, or actions and resources by area, as far as the visitor may grant them. */
export async function pickerFields(
  place: PlatformPlace,
  picked: Picked,
  problem: ProblemError | null,
  { of = 'policy' }: { readonly of?: PickedFor } = {},
): Promise<string> {
  const { tools, visitor, org } = place;
  const presets = presetsFor[of];
  const shown = tools.files === null ? presets.filter(({ isDeep }) => isDeep !== true) : presets;
  const { authority } = await callers.authorizeOrganization(tools.access, callerOfVisitor(visitor), org);
  const holds = (written: permissions.WrittenPolicy): boolean =>
    permissions.escalationOf(authority, authorityOf(written, org)) === null;
  const mayGive = (preset: capabilities.PermissionPreset): boolean =>
    holds(capabilities.policyOfPresets([preset], org, null));
  const areas = await areaFields(place, picked, problem, {
    of,
    mayGive: (choice) =>
      of !== 'token' ||
      holds(capabilities.policyOfPicked({ actions: [choice.action], things: [] }, org, [choice])),
  });
  // Visitors may write any policy; a token's policy applies at once, and a key does not exceed its owner.
  const given = of === 'policy' ? shown : shown.filter(mayGive);
  const kept = shown.filter((preset) => !given.includes(preset)).map(({ label }) => label.split(':')[0]);
  const fault = (problem?.errors ?? []).find(({ name }) => name === 'jobs')?.message;
  return [
    checkboxes({
      name: 'jobs',
      label: 'Common permissions',
      options: given.map(({ id, label }) => ({ value: id, label })),
      chosen: picked.jobs ?? [],
      ...(kept.length > 0 && {
        hint: `Not available, because you do not have these permissions: ${kept.join(', ')}.`,
      }),
    }),
    fault === undefined ? '' : html`<p class="fault">${fault}.</p>`,
    field({
      name: 'only',
      label: 'Limit to one resource',
      hint: `Name or id of one ${nounsFor[of]}. Leave empty to include all.`,
      value: picked.only ?? '',
      maxLength: 200,
      required: false,
      autocomplete: 'off',
      problem,
    }),
    areas,
    previewButton,
  ].join('');
}

const previewButton = html`<div class="field row">
  <button type="submit" name="preview" value="yes" formnovalidate>Preview permissions</button>
</div>`;

/** For a stored policy: its statements by area. Null where the lists cannot express it. */
export async function storedPickerForm(
  place: PlatformPlace,
  policy: permissions.WrittenPolicy & { readonly id: number; readonly name: string },
  { filled, problem }: { readonly filled?: Picked; readonly problem: ProblemError | null },
): Promise<string | null> {
  const stored = capabilities.pickedOfPolicy(policy, place.org, actionChoicesOf(place, 'policy'));
  if (stored === null && filled === undefined) return null;
  const picked = filled ?? { can: [...(stored?.actions ?? [])], on: [...(stored?.things ?? [])] };
  const name = nameField(filled?.name ?? policy.name, problem);
  const areas = await areaFields(place, picked, problem, { of: 'policy', mayGive: () => true });
  return form({
    action: platformPath(place.org, 'policies', String(policy.id), 'picked'),
    submit: 'Save',
    fields: name + areas + previewButton,
  });
}

function nameField(value: string, problem: ProblemError | null): string {
  return field({ name: 'name', label: 'Name', value, maxLength: 100, autocomplete: 'off', problem });
}

export async function pickerForm(
  place: PlatformPlace,
  picked: Picked,
  problem: ProblemError | null,
): Promise<string> {
  return form({
    action: platformPath(place.org, 'policies', 'picked'),
    submit: 'Create policy',
    fields: nameField(picked.name ?? '', problem) + (await pickerFields(place, picked, problem)),
  });
}
