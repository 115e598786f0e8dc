import { html } from 'ghtml';

import type { WordedStory } from '../../news/stories/index.ts';
import { scripts } from '../shell/assets.ts';
import { clipped, nameCharsMax } from './clipped.ts';
import { langOf } from './news-parts.ts';
import type { PageContext } from './page-context.ts';

/** The quotations of each sentence of a digest, and a button whose script repeats the check with them. */
export function digestQuotes(
  { digest, items, language }: WordedStory,
  numbers: ReadonlyMap<string, number>,
  context: PageContext,
): string {
  const byId = new Map(items.map((item) => [item.id, item]));
  const quoted = (digest?.sentences ?? []).flatMap(({ text, quotes = [] }) => {
    const shown = quotes.flatMap(({ itemId, sourceName, spans }) => {
      const item = byId.get(itemId);
      return item === undefined ? [] : [{ item, sourceName, spans }];
    });
    return shown.length === 0 ? [] : [{ text, shown }];
  });
  if (quoted.length === 0) return '';
  const { quotes: words } = context.words;
  return html`<details class="quotes" data-quotes>
      <summary>${words.title}</summary>
      <p class="hint">${words.lead}</p>
      <ol>
        !${quoted.map(
          ({ text, shown }) =>
            html`<li data-quoted>
              <p data-sentence !${langOf(language, context)}>${text}</p>
              !${shown.map(({ item, sourceName, spans }) => {
                const number = numbers.get(item.id) ?? 0;
                return html`<p data-quote="${sourceName}" data-number="${number}">
                  !${spans.map((span) => html`<q !${langOf(item.language, context)}>${span}</q> `)}
                  <span class="meta"
                    >${clipped(sourceName, nameCharsMax)} <sup><a href="#r${number}">${number}</a></sup></span
                  >
                </p>`;
              })}
              <ul class="meta" data-facts hidden></ul>
            </li>`,
        )}
      </ol>
      <p>
        <button type="button" hidden>${words.check}</button>
        <span class="note" role="status" hidden></span>
      </p>
    </details>
    <script
      type="module"
      src="${scripts.quotes.path}"
      data-quote-checker="${scripts.quoteChecker.path}"
      data-texts="${JSON.stringify(words.script)}"
    ></script>`;
}
