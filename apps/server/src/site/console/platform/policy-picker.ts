import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { callers, capabilities, permissions } from '../../../access/index.ts';
import { agentPresets } from '../../../agents/index.ts';
import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { scripts } from '../../shell/assets.ts';
import { checkboxes, field } from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { say, sayKnown, sayList } from '../../shell/words/say.ts';
import { storagePresets } from '../storage/storage-capabilities.ts';
import type { PickedFor } from './area-fields.ts';
import { actionChoicesOf, areaFields, isPickedByArea, requirePickedByArea } from './area-fields.ts';
import type { CapabilityReportOptions } from './capability-report.ts';
import { capabilitiesIn, capabilityReport } from './capability-report.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { callerOfVisitor } from './platform-frame.ts';
import { findThing, nameThings } from './resource-names.ts';

/** Jobs and their resources, or actions and resources by area. */
export const pickedProperties = {
  jobs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
  only: Type.Optional(Type.String({ maxLength: 200 })),
  can: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
  on: Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 })),
  preview: Type.Optional(Type.Literal('yes')),
};

const Picked = closedObject({ name: Type.Optional(Type.String({ maxLength: 400 })), ...pickedProperties });

export type Picked = Partial<Static<typeof Picked>>;

/** The statements of a policy, and those of the jobs without a choice of resources. */
export interface PickedText {
  readonly written: permissions.WrittenPolicy;
  readonly asked: permissions.WrittenPolicy;
}

type JobsFor = Exclude<PickedFor, 'policy'>;

const presetsFor: Readonly<Record<JobsFor, readonly capabilities.PermissionPreset[]>> = {
  token: [...agentPresets, ...capabilities.corePresets],
  key: storagePresets,
};
const nounsFor: Readonly<Record<JobsFor, Text>> = {
  token: 'agent, policy, group, token or member',
  key: 'project',
};

/** The actions and resources of the choice. */
export async function pickedText(place: PlatformPlace, picked: Picked, of: JobsFor): Promise<PickedText> {
  if (isPickedByArea(picked)) return textByArea(place, picked, of);
  const chosen = presetsFor[of].filter(({ id }) => picked.jobs?.includes(id) === true);
  if (chosen.length === 0) throw invalidField('jobs', say('Select at least one permission'));
  const kinds = [...new Set(chosen.flatMap(({ kinds: of }) => of))];
  const only = await findThing(place, kinds, (picked.only ?? '').trim());
  const kind = only?.kind ?? null;
  const apart = chosen.find((preset) => kind !== null && !preset.kinds.includes(kind));
  if (apart !== undefined)
    throw invalidField(
      'only',
      say('The limit does not apply to “{job}”. Create a separate policy', { job: sayKnown(apart.label) }),
    );
  return {
    written: capabilities.policyOfPresets(chosen, place.org, only),
    asked: capabilities.policyOfPresets(chosen, place.org, null),
  };
}

export function textByArea(place: PlatformPlace, picked: Picked, of: PickedFor): PickedText {
  if ((picked.jobs ?? []).length > 0 || (picked.only ?? '').trim() !== '')
    throw invalidField('jobs', say('Select either common permissions or permissions by area, not both'));
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
  subject: CapabilityReportOptions['subject'],
  {
    written,
    asked = written,
  }: { readonly written: permissions.WrittenPolicy; readonly asked?: permissions.WrittenPolicy },
): Promise<string> {
  const { org } = place;
  const authority = authorityOf(written, org);
  const of = capabilitiesIn(place);
  const { cannot } = capabilities.reportCapabilities(authority, org, of);
  const { can: wanted } = capabilities.reportCapabilities(authorityOf(asked, org), org, of);
  const missing = cannot.filter(({ words }) => wanted.some((one) => one.words === words));
  const actions = sayList(missing.map(({ words }) => sayKnown(words)));
  const notGiven =
    missing.length === 0
      ? ''
      : html`<p>
          ${say(
            'These actions need access to all resources of a kind, but the selection is limited: {actions}.',
            { actions },
          )}
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
  { of }: { readonly of: JobsFor },
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
  // A token's policy applies at once, and a key does not exceed its owner.
  const given = shown.filter(mayGive);
  const kept = shown
    .filter((preset) => !given.includes(preset))
    .map(({ label }) => sayKnown(label).split(/[:：]/u)[0] ?? '');
  const fault = (problem?.errors ?? []).find(({ name }) => name === 'jobs')?.message;
  return [
    checkboxes({
      name: 'jobs',
      label: say('Common permissions'),
      options: given.map(({ id, label }) => ({ value: id, label: sayKnown(label) })),
      chosen: picked.jobs ?? [],
      ...(kept.length > 0 && {
        hint: say('Not available, because you do not have these permissions: {jobs}.', {
          jobs: sayList(kept),
        }),
      }),
    }),
    fault === undefined ? '' : html`<p class="fault">${fault}.</p>`,
    field({
      name: 'only',
      label: say('Limit to one resource'),
      hint: say('Name or ID of one {kinds}. Leave empty to include all.', { kinds: say(nounsFor[of]) }),
      value: picked.only ?? '',
      maxLength: 200,
      required: false,
      autocomplete: 'off',
      problem,
    }),
    areas,
    previewButton({ isLive: of !== 'key' }),
  ].join('');
}

/**
 * Shows the summary again; with script it follows the form, and the button is hidden. Not for forms with a password,
 * whose requests count as attempts to sign in.
 */
export function previewButton({ isLive = true }: { readonly isLive?: boolean } = {}): string {
  return html`<button
      type="submit"
      name="preview"
      value="yes"
      formnovalidate
      !${isLive ? 'data-previews' : ''}
    >
      ${say('Preview permissions')}
    </button>
    !${isLive ? html`<script src="${scripts.preview.path}" defer></script>` : ''}`;
}
