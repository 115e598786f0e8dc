import { html } from 'ghtml';

import type { ProblemError } from '../../../foundation/problem.ts';
import type { deskReading } from '../../../newsroom/desk/index.ts';
import { say } from '../../shell/words/say.ts';
import { card } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';
import { DeskRefusal } from './desk-frame.ts';
import { findingText } from './finding-text.ts';
import { textLine } from './text-line.ts';

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
  /** Null: nothing was typed yet. */
  findings: readonly string[] | null,
  id = 'findings',
): string {
  if (findings === null)
    return html`<div id="${id}" aria-live="polite">
      <p class="hint">${say('Your text is compared with the items while you type and when you save.')}</p>
    </div>`;
  return html`<div id="${id}" aria-live="polite">
    !${
      findings.length === 0
        ? html`<p>${words.item.checkNone}</p>`
        : html`<p>${words.item.checkFound}</p>
            <ul>
              !${findings.map((finding) => html`<li>${findingText(finding)}</li>`)}
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

/** The statement of typed text without proof: only after the check has refused the text of this form. */
export function evidenceLine(
  { words }: DeskVisit,
  problem: ProblemError | undefined,
  typed: { readonly unverified?: string } | undefined,
): string {
  const isUnsupported = problem instanceof DeskRefusal && problem.reason === 'unsupported_text';
  if (typed === undefined || !isUnsupported) return '';
  return textLine('unverified', words.fields.unverified, { value: typed.unverified ?? '', required: false });
}

export function evidenceOf({ unverified = '' }: { readonly unverified?: string }): {
  readonly unverified?: string;
} {
  return unverified.trim() === '' ? {} : { unverified: unverified.trim() };
}
