import { html } from 'ghtml';

/** A line of text without an id of its own: the page has several forms. */
export function textLine(name: string, label: string, { value = '', required = true } = {}): string {
  return html`<div class="field">
    <label
      >${label}
      <input
        name="${name}"
        value="${value}"
        maxlength="500"
        autocomplete="off"
        !${required ? 'required' : ''}
    /></label>
  </div>`;
}
