import { html } from 'ghtml';

import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { icon } from './icons.ts';

export interface Dialog {
  readonly id: string;
  readonly title: string;
  readonly lead?: string;
  /** HTML of the form. */
  readonly content: string;
  /** HTML at the side: what the result means. */
  readonly aside?: string;
  /** Rendered open: at its own address, or with the errors of a refused form. */
  readonly isOpen: boolean;
  /** The page below it; without script, closing leads there. */
  readonly closeHref: string;
  readonly isWide?: boolean;
}

/** A form over its page. It opens by its own address, so it works without script and survives a reload. */
export function dialog(language: InterfaceLanguage, options: Dialog): string {
  const { id, title, lead, content, aside, isOpen, closeHref, isWide = aside !== undefined } = options;
  return html`<dialog
    class="dialog ${isWide ? 'wide' : ''}"
    id="${id}"
    aria-labelledby="${id}-title"
    !${isOpen ? 'open' : ''}
  >
    <header>
      <h2 id="${id}-title">${title}</h2>
      !${lead === undefined ? '' : html`<p>${lead}</p>`}
    </header>
    !${
      aside === undefined
        ? html`<div class="body">!${content}</div>`
        : html`<div class="two">
            <div>!${content}</div>
            <aside aria-labelledby="${id}-title">!${aside}</aside>
          </div>`
    }
    <a
      class="btn quiet icon sm close"
      href="${closeHref}"
      data-close
      aria-label="${wordsOf(language).console.close}"
      >!${icon('x')}</a
    >
  </dialog>`;
}

/** The query parameter that opens the dialog of a list. */
export const opensDialog = '?new=1';
