import { Type } from 'typebox';

import { closedObject } from '../foundation/closed-object.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { readerLanguages } from '../foundation/reader-language.ts';

/** Part of the address, so that shared caches can store each language. */
export const languageQuery = closedObject({
  language: Type.Optional(
    Type.Enum([...readerLanguages], {
      description:
        'Language of titles and texts, if available. Does not change which stories are listed, or their order. Default: the language of the installation.',
    }),
  ),
});

/** Of a list of items, which have one language each. */
export const itemLanguageQuery = closedObject({
  language: Type.Optional(
    Type.Enum([...readerLanguages], {
      description: 'Only items in this language. Default: items in all languages.',
    }),
  ),
});

export const searchQuery = closedObject({
  q: Type.String({ description: 'Like q of /api/v1/items.' }),
  ...itemLanguageQuery.properties,
});

export interface LanguageQuery {
  readonly language?: ReaderLanguage;
}

/** The path of a resource in this language. */
export function withLanguage(
  installation: { readonly language: ReaderLanguage },
  path: string,
  language: ReaderLanguage,
): string {
  return language === installation.language ? path : `${path}?language=${language}`;
}

/** The path of a page in this language: those of the installation's language have no prefix. */
export function pageInLanguage(
  installation: { readonly language: ReaderLanguage },
  path: string,
  language: ReaderLanguage,
): string {
  return language === installation.language ? path : `/${language}${path === '/' ? '' : path}`;
}
