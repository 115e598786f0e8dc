import { html } from 'ghtml';

import type { PageContext } from '../page-context.ts';

/** A longer text, in one language. */
export interface WrittenText {
  readonly title: string;
  readonly description: string;
  readonly main: (context: PageContext) => string;
}

/** A command to copy. Unique ids connect each button to its text. */
export function command(id: string, text: string, { words }: PageContext): string {
  return html`<div class="command">
    <pre tabindex="0"><code id="${id}">${text}</code></pre>
    <button type="button" data-copies="${id}" hidden>${words.copy}</button>
  </div>`;
}

/** Sentences shared by OpenAPI and pages, where backticks mark code. */
export function withCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('');
}
