import { html } from 'ghtml';

import { permissions } from '../../../access/index.ts';
import { agentCapabilities } from '../../../agents/index.ts';
import { storageCapabilities } from '../storage/storage-capabilities.ts';

/** The resources that a platform token reaches. */
export const platformCapabilities: readonly permissions.Capability[] = [
  ...agentCapabilities,
  ...permissions.coreCapabilities,
];

/** Every capability of every domain, in reading order. */
export const capabilities: readonly permissions.Capability[] = [
  ...agentCapabilities,
  ...storageCapabilities,
  ...permissions.coreCapabilities,
];

export interface CapabilityReport {
  /** The subject: continued by "can". */
  readonly subject: string;
  readonly org: string;
  readonly authority: permissions.Authority;
  readonly of: readonly permissions.Capability[];
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
  const { can, cannot } = permissions.reportCapabilities(authority, org, of, nameOf);
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
