import { html } from 'ghtml';

import type { deskReading } from '../../../newsroom/desk/index.ts';
import { card } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';

/** The facts of the text that its source does not support. */
export function checkCard({ words }: DeskVisit, findings: readonly string[]): string {
  return card({
    title: words.item.check,
    isPadded: true,
    content: findingsPart(words, findings),
  });
}

/** With script, the check follows the form that is `checked`. */
export function findingsPart(
  words: DeskVisit['words'],
  findings: readonly string[],
  id = 'findings',
): string {
  return html`<div id="${id}" aria-live="polite">
    !${
      findings.length === 0
        ? html`<p>${words.item.checkNone}</p>`
        : html`<p>${words.item.checkFound}</p>
            <ul>
              !${findings.map((finding) => html`<li>${finding}</li>`)}
            </ul>`
    }
  </div>`;
}

/** A form whose text is checked at the address while it is typed, with the result in the part of this id. */
export function checked(address: string, form: string, id = 'findings'): string {
  return html`<div data-checks="${address}" data-findings="${id}" data-key="e">!${form}</div>`;
}

/** The words of the publisher. */
export function sourceCard(
  { words }: DeskVisit,
  { sourceTitle, sourceText }: Pick<deskReading.DeskItem, 'sourceTitle' | 'sourceText'>,
): string {
  return card({
    title: words.item.sourceText,
    isPadded: true,
    content:
      sourceTitle === null
        ? html`<p>${words.item.noSourceText}</p>`
        : html`<p><strong>${sourceTitle}</strong></p>
            <p>${sourceText ?? ''}</p>`,
  });
}
