import { html } from 'ghtml';
import { Type } from 'typebox';
import type { Static } from 'typebox';

import { permissions } from '../../../access/index.ts';
import { agentPresets } from '../../../agents/index.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { checkboxes, field, form } from '../../shell/form-controls.ts';
import { capabilityReport } from './capability-report.ts';
import { platformPath } from './platform-frame.ts';

const presets: readonly permissions.PermissionPreset[] = [...agentPresets, ...permissions.corePresets];

/** A policy as it is picked: jobs, and on which things. */
export const PickedPolicy = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 400 })),
    jobs: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
    only: Type.Optional(Type.String({ maxLength: 200 })),
    preview: Type.Optional(Type.Literal('yes')),
  },
  { additionalProperties: false },
);

export type Picked = Partial<Static<typeof PickedPolicy>>;

/** The actions and resources of what was picked. */
export function writtenPolicy(picked: Picked, org: string): permissions.WrittenPolicy {
  const chosen = presets.filter(({ id }) => picked.jobs?.includes(id) === true);
  if (chosen.length === 0) throw invalidField('jobs', 'is empty: choose at least one job');
  return permissions.policyOfPresets(chosen, org, (picked.only ?? '').trim());
}

/** What a policy allows, in sentences, before it is saved. */
export function policyReport(written: permissions.WrittenPolicy, org: string): string {
  const parsed = permissions.parsePolicy(written, org);
  if (!parsed.ok) return '';
  return capabilityReport('Whoever has this policy', permissions.compileAuthority([parsed.value]), org);
}

export function pickerForm(org: string, picked: Picked, problem: ProblemError | null): string {
  const isEmpty = (problem?.errors ?? []).some(({ name }) => name === 'jobs');
  const fields = [
    field(
      { name: 'name', label: 'Name', value: picked.name ?? '', maxLength: 100, autocomplete: 'off' },
      problem,
    ),
    checkboxes({
      name: 'jobs',
      label: 'What may be done?',
      options: presets.map(({ id, label }) => ({ value: id, label })),
      chosen: picked.jobs ?? [],
    }),
    isEmpty ? html`<p class="fault">Choose at least one job.</p>` : '',
    field(
      {
        name: 'only',
        label: 'Only one thing',
        hint: 'Leave this empty for all of them. Else the number of a policy or group, the name of a token, the username of a member or the unique_id of an agent.',
        value: picked.only ?? '',
        maxLength: 200,
        required: false,
        autocomplete: 'off',
      },
      problem,
    ),
    html`<button type="submit" name="preview" value="yes" formnovalidate>Show what it allows</button> `,
  ].join('');
  return form({ action: platformPath(org, 'policies', 'picked'), submit: 'Create policy', fields });
}
