import { html } from 'ghtml';

import type { permissions } from '../../../access/index.ts';
import { capabilities } from '../../../access/index.ts';
import { agentCapabilities } from '../../../agents/index.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';

/** The resources that a platform token reaches. */
export const platformCapabilities: readonly capabilities.Capability[] = [
  ...agentCapabilities,
  ...capabilities.coreCapabilities,
];

/** Every capability of every domain, in reading order. */
export const allCapabilities: readonly capabilities.Capability[] = [
  ...agentCapabilities,
  ...storageCapabilities,
  ...capabilities.coreCapabilities,
];

export interface CapabilityReport {
  /** The subject: continued by "can". */
  readonly subject: string;
  readonly org: string;
  readonly authority: permissions.Authority;
  readonly of: readonly capabilities.Capability[];
  readonly nameOf: (id: string) => string;
  /** HTML of requested but missing permissions. */
  readonly notGiven?: string;
}

/** "This token can …" and what it cannot, computed as for requests. */
export function capabilityReport({
  subject,
  org,
  authority,
  of,
  nameOf,
  notGiven = '',
}: CapabilityReport): string {
  const { can, cannot } = capabilities.reportCapabilities(authority, org, of, nameOf);
  const list = (lines: readonly string[]): string =>
    html`<ul>
      !${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
  return html`<section class="can">
    <h2>${subject} can</h2>
    !${can.length === 0 ? html`<p>No actions.</p>` : list(can)} !${notGiven}
    !${
      cannot.length === 0
        ? ''
        : html`<details>
            <summary>${String(cannot.length)} actions not allowed</summary>
            !${list(cannot)}
          </details>`
    }
  </section>`;
}
