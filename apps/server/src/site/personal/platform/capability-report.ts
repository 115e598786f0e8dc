import { html } from 'ghtml';

import { permissions } from '../../../access/index.ts';
import { agentCapabilities } from '../../../agents/index.ts';

/** Every capability of every domain, in the order in which people read them. */
export const capabilities: readonly permissions.Capability[] = [
  ...agentCapabilities,
  ...permissions.coreCapabilities,
];

/** "This token can …" and what it cannot, from the algebra that decides requests. */
export function capabilityReport(subject: string, authority: permissions.Authority, org: string): string {
  const { can, cannot } = permissions.reportCapabilities(authority, org, capabilities);
  const list = (lines: readonly string[]): string =>
    html`<ul>
      !${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
  return html`<section class="can">
    <h2>${subject} can</h2>
    !${can.length === 0 ? html`<p>nothing</p>` : list(can)}
    !${
      cannot.length === 0
        ? ''
        : html`<details>
            <summary>and cannot do ${String(cannot.length)} other things</summary>
            !${list(cannot)}
          </details>`
    }
  </section>`;
}
