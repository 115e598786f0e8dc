import { html } from 'ghtml';

import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { otherLanguage } from '../../foundation/reader-language.ts';
import { publicPaths } from '../../record/index.ts';
import { moment } from './moments.ts';
import type { ShownItem } from './news-parts.ts';
import { escaped, factsLine, langOf, storyLink } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { inAllLanguages } from './page-context.ts';

/** The number of items of the other language below a list. */
export const otherItemsShown = 9;

/** Reads the newest items of the other language, unless the page mixes both. */
export async function readOtherLanguage(
  context: PageContext,
  read: (language: ReaderLanguage, count: number) => Promise<readonly ShownItem[]>,
): Promise<readonly ShownItem[]> {
  return context.mixesLanguages ? [] : read(otherLanguage(context.language), otherItemsShown);
}

/** Below a list, with their titles alone; `path` is the page of the list. */
export function otherLanguageList(
  items: readonly ShownItem[],
  path: string,
  context: PageContext,
  marked: (text: string) => string = escaped,
): string {
  if (items.length === 0) return '';
  const { words, language } = context;
  return html`<section class="other-reports" aria-labelledby="other-language">
    <h2 class="rule" id="other-language">
      ${words.languages.other}
      <span
        >${words.languages.titlesOnly}${words.comma}<a href="${inAllLanguages(context.canonicalHref(path))}"
          >${words.languages.together}</a
        ></span
      >
    </h2>
    <ul class="plain-list columns">
      !${items.map(
        (item) =>
          html`<li data-entry="${item.id}">
            <a href="${context.href(publicPaths.itemPath(item.id))}" !${langOf(item.language, context)}
              >!${marked(item.title)}</a
            >
            <div class="meta">
              !${factsLine([
                html`<span !${langOf(item.language, context)}>${item.source.name}</span>`,
                moment(item.key, language),
                storyLink(item.storyId, item.storyReportCount, context),
              ])}
            </div>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Keeps the choice of all languages when a form is sent, which replaces the parameters of its address. */
export function languageField({ mixesLanguages }: PageContext): string {
  return mixesLanguages ? '<input type="hidden" name="language" value="all" />' : '';
}
