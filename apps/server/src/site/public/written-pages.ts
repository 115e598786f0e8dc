import { html } from 'ghtml';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { aboutText } from './texts/about.ts';
import { apiText } from './texts/api.ts';
import { termsText } from './texts/terms.ts';
import type { WrittenText } from './texts/written-text.ts';

type Texts = Readonly<Record<InterfaceLanguage, WrittenText>>;

/** Static pages that change only with the software. */
export function writtenPages(tools: SiteTools): readonly RouteDeclaration[] {
  return [
    ...writtenPage(tools, 'about', aboutText),
    ...writtenPage(tools, 'api', apiText),
    ...writtenPage(tools, 'terms', termsText),
  ];
}

function writtenPage(
  tools: SiteTools,
  name: 'about' | 'api' | 'terms',
  texts: Texts,
): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: `/${name}`,
    operationId: `get_${name}_page`,
    freshness: 'five-minutes',
    resource: (_input, context) => ({
      key: name,
      cacheTags: [],
      build: async (): Promise<PublicPage> => {
        const { title, description, main } = texts[context.language];
        return {
          title,
          description,
          path: `/${name}`,
          ...(name === 'api' ? { section: 'api' as const } : {}),
          width: 'column',
          main: html`<h1>${title}</h1>
            !${main(context)}`,
        };
      },
    }),
  });
}
