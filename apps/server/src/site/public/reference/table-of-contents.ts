import { html } from 'ghtml';

import type { PageContext } from '../page-context.ts';

interface Entry {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly inside?: readonly Entry[];
}

/** A long text with its table of contents beside it; on a phone it is folded above the text. */
export function besideContents(entries: readonly Entry[], text: string, { words }: PageContext): string {
  const list = entryList(entries);
  return html`<div class="reference">
    <nav class="reference-contents" aria-label="${words.reference.contents}">
      <details>
        <summary>${words.reference.contents}</summary>
        !${list}
      </details>
      <div>!${list}</div>
    </nav>
    <div class="reference-text">!${text}</div>
  </div>`;
}

function entryList(entries: readonly Entry[]): string {
  return html`<ul lang="en">
    !${entries.map(
      ({ id, label, hint, inside = [] }) =>
        html`<li>
          <a href="#${id}" !${hint === undefined ? '' : html`title="${hint}"`}>${label}</a>
          !${inside.length === 0 ? '' : entryList(inside)}
        </li>`,
    )}
  </ul>`;
}
