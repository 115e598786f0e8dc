import { html } from 'ghtml';

import type { permissions } from '../../../access/index.ts';
import { capabilities } from '../../../access/index.ts';
import { agentCapabilities } from '../../../agents/index.ts';
import { deskCapabilities } from '../../../newsroom/desk/index.ts';
import type { Text } from '../../shell/words/say.ts';
import { say, sayKnown, sayList } from '../../shell/words/say.ts';
import { meaning } from '../components/parts.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { isNewsroom } from './platform-frame.ts';

/** The resources that a platform token reaches. */
export const platformCapabilities: readonly capabilities.Capability[] = [
  ...agentCapabilities,
  ...capabilities.coreCapabilities,
];

/** Every capability of every domain, in reading order. */
export const allCapabilities: readonly capabilities.Capability[] = [
  ...agentCapabilities,
  ...storageCapabilities,
  ...deskCapabilities,
  ...capabilities.coreCapabilities,
];

const areas: Readonly<Record<string, Text>> = {
  agents: 'Agents',
  'agent-templates': 'Agents',
  projects: 'Files',
  newsroom: 'Newsroom',
  members: 'Members',
  'api-tokens': 'Tokens',
  policies: 'Policies',
  groups: 'Groups',
};

/** The area of a kind of resource, as the navigation names it. */
export function areaOfKind(kind: string | undefined): Text {
  return areas[kind ?? ''] ?? 'Organization';
}

const headings = {
  policy: ['This policy allows', 'This policy does not allow'],
  token: ['This token can', 'This token cannot'],
  key: ['This key can', 'This key cannot'],
} as const satisfies Readonly<Record<string, readonly [Text, Text]>>;

const storageActions = new Set(storageCapabilities.map(({ action }) => action));
const deskActions = new Set(deskCapabilities.map(({ action }) => action));

/** The capabilities that policies of an organization can give on this installation. */
export function capabilitiesIn({
  tools,
  org,
}: Pick<PlatformPlace, 'tools' | 'org'>): readonly capabilities.Capability[] {
  return allCapabilities.filter(
    ({ action }) =>
      (tools.files !== null || !storageActions.has(action)) &&
      (isNewsroom(tools, org) || !deskActions.has(action)),
  );
}

export interface CapabilityReportOptions {
  readonly subject: keyof typeof headings;
  readonly org: string;
  readonly authority: permissions.Authority;
  readonly of: readonly capabilities.Capability[];
  readonly nameOf: (id: string) => string;
  /** HTML of requested but missing permissions. */
  readonly notGiven?: string;
}

/** What a token or policy allows and does not allow, computed as for requests. */
export function capabilityReport({
  subject,
  org,
  authority,
  of,
  nameOf,
  notGiven = '',
}: CapabilityReportOptions): string {
  const { can, cannot } = capabilities.reportCapabilities(authority, org, of);
  const [allows, refuses] = headings[subject];
  return meaning({
    allows: say(allows),
    allowed: can.map((one) => sayAllowed(one, nameOf)),
    none: say('No actions.'),
    refuses: say(refuses),
    refused: refusedLines(can, cannot),
    note: html`!${notGiven}`,
  });
}

export function sayAllowed(
  { words, only }: capabilities.AllowedCapability,
  nameOf: (id: string) => string = (id) => id,
): string {
  const action = sayKnown(words);
  if (only === null) return action;
  const labels = only.map((ids) =>
    ids.map(nameOf).reduce((outer, inner) => say('{inner} in {outer}', { inner, outer })),
  );
  return say('{action}, but only {names}', { action, names: sayList(labels) });
}

/** One line for each area with some allowed actions, and one for all other areas. */
function refusedLines(
  can: readonly capabilities.Capability[],
  cannot: readonly capabilities.Capability[],
): readonly string[] {
  const areaOf = ({ kind: [kind] }: capabilities.Capability): Text => areaOfKind(kind);
  const entered = new Set(can.map(areaOf));
  const byArea = [...Map.groupBy(cannot, areaOf)];
  const partly = byArea
    .filter(([area]) => entered.has(area))
    .map(([area, missing]) => {
      const actions = sayList(missing.map(({ words }) => sayKnown(words)));
      return say('{area}: {actions}', { area: say(area), actions });
    });
  const wholly = byArea.filter(([area]) => !entered.has(area)).map(([area]) => say(area));
  return wholly.length === 0 ? partly : [...partly, say('any action on {areas}', { areas: sayList(wholly) })];
}
