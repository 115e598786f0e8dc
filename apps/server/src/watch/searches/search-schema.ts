import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject, titledObject } from '../../foundation/closed-object.ts';
import { invalidField } from '../../foundation/http/http-problems.ts';
import type { Id } from '../../foundation/ids.ts';
import { idForm } from '../../foundation/ids.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { pageSchema } from '../../foundation/pagination/page-schema.ts';
import { untrimmedNamePattern } from '../../foundation/readable-name.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { readerLanguages } from '../../foundation/reader-language.ts';
import { searchTermsOf } from '../../foundation/search-text.ts';
import { ItemSchema } from '../../news/items/index.ts';
import { categories } from '../../record/index.ts';
import type { SavedSearch, SearchQuery, SearchSettings } from './saved-search.ts';
import { mailFrequencies } from './saved-search.ts';

const wordsLength = { min: 2, max: 200 } as const;
const hiddenMax = 100;
const minSourcesMax = 50;

const Source = Type.String({ pattern: idForm.source });
const Category = Type.Enum([...categories]);
const Language = Type.String({ pattern: '^[a-z]{2,3}$' });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The filters of /api/v1/items, and those that only saved searches have. */
export const SearchQuerySchema = closedObject(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: `Every term must occur in title, original title, summary or source name. ${wordsLength.min} to ${wordsLength.max} characters.`,
      }),
    ),
    without: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: `None of these terms may occur in these fields. ${wordsLength.min} to ${wordsLength.max} characters.`,
      }),
    ),
    mode: Type.Optional(Type.Enum(['selected', 'all'], { default: 'all', description: 'Set of items.' })),
    category: Type.Optional(Category),
    source: Type.Optional(Type.String({ ...Source, description: 'An id from /api/v1/sources.' })),
    language: Type.Optional(Type.String({ ...Language, description: 'A primary subtag of BCP 47.' })),
    hiddenSources: Type.Optional(
      Type.Array(Source, { maxItems: hiddenMax, description: 'Ids from /api/v1/sources.' }),
    ),
    hiddenCategories: Type.Optional(Type.Array(Category, { maxItems: categories.length })),
    minSources: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: minSourcesMax,
        default: 1,
        description:
          'Minimum number of independent sources of the story. An item matches when its story has this many.',
      }),
    ),
  },
  { title: 'SearchQuery', description: 'Requires q, source or category.' },
);

const settings = {
  mail: Type.Enum([...mailFrequencies], { description: 'How often matches are sent by e-mail.' }),
  language: Type.Enum([...readerLanguages], { description: 'Language of e-mail and feed.' }),
  onFrontPage: Type.Boolean({ description: 'Whether the front page shows the matches.' }),
};
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: untrimmedNamePattern });

export const NewSearchSchema = titledObject('NewSavedSearch', {
  name: Type.Optional(Type.String({ ...Name, description: 'Default: its words or category.' })),
  query: SearchQuerySchema,
  mail: Type.Optional(settings.mail),
  language: Type.Optional(settings.language),
  onFrontPage: Type.Optional(settings.onFrontPage),
});

export const SearchChangeSchema = titledObject(
  'SavedSearchChange',
  {
    name: Type.Optional(Name),
    query: Type.Optional(SearchQuerySchema),
    mail: Type.Optional(settings.mail),
    language: Type.Optional(settings.language),
    onFrontPage: Type.Optional(settings.onFrontPage),
  },
  { description: 'A new query replaces the whole earlier query and its matches.' },
);

const instant = Type.String({ format: 'date-time' });

export const SavedSearchSchema = titledObject('SavedSearch', {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  query: titledObject('SavedQuery', {
    q: orNull(Type.String()),
    without: orNull(Type.String()),
    mode: Type.Enum(['selected', 'all']),
    category: orNull(Type.String()),
    source: orNull(Type.String({ format: 'uuid' })),
    language: orNull(Type.String()),
    hiddenSources: Type.Array(Type.String({ format: 'uuid' })),
    hiddenCategories: Type.Array(Type.String()),
    minSources: Type.Integer({ minimum: 1 }),
  }),
  ...settings,
  createdAt: instant,
  updatedAt: instant,
});

export const SavedSearchPageSchema = pageSchema(SavedSearchSchema, 'SavedSearches');

const MatchSchema = titledObject('Match', { matchedAt: instant, item: ItemSchema });
export const MatchPageSchema = pageSchema(
  MatchSchema,
  'Matches',
  'Newest first: by matchedAt, then by the id of the item. Withdrawn items are omitted.',
);

type RawQuery = Static<typeof SearchQuerySchema>;

/** The normalised query; raises `invalid_request` with the field below `query`. */
export function readQuery(raw: RawQuery, at = 'query.'): SearchQuery {
  return {
    q: readWords(`${at}q`, raw.q),
    without: readWords(`${at}without`, raw.without),
    mode: raw.mode ?? 'all',
    category: raw.category ?? null,
    source: (raw.source ?? null) as Id<'source'> | null,
    language: raw.language ?? null,
    hiddenSources: [...new Set(raw.hiddenSources)].sort() as Id<'source'>[],
    hiddenCategories: [...new Set(raw.hiddenCategories)].sort(),
    minSources: raw.minSources ?? 1,
  };
}

function readWords(name: string, raw: string | undefined): string | null {
  const words = raw?.trim() ?? '';
  if (words === '') return null;
  const length = Array.from(words).length;
  if (length < wordsLength.min || length > wordsLength.max || searchTermsOf(words).length === 0)
    throw invalidField(name, `must have ${wordsLength.min} to ${wordsLength.max} characters after trimming`);
  return words;
}

const nameCharsMax = 100;

export function newSettings(
  { name, query: raw, mail, language, onFrontPage }: Static<typeof NewSearchSchema>,
  installation: { readonly language: ReaderLanguage },
): SearchSettings {
  const query = readQuery(raw);
  return {
    name: name?.trim() ?? nameOf(query),
    query,
    mail: mail ?? 'never',
    wording: language ?? installation.language,
    onFrontPage: onFrontPage ?? false,
  };
}

export function nameOf({ q, category, source }: SearchQuery): string {
  return Array.from(q ?? category ?? source ?? '')
    .slice(0, nameCharsMax)
    .join('');
}

export function changedSettings({
  name,
  query,
  language,
  ...rest
}: Static<typeof SearchChangeSchema>): Partial<SearchSettings> {
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(query === undefined ? {} : { query: readQuery(query) }),
    ...(language === undefined ? {} : { wording: language }),
  };
}

export function presentSearch({ id, name, query, mail, wording, onFrontPage, ...times }: SavedSearch) {
  return {
    id,
    name,
    query: presentQuery(query),
    mail,
    language: wording,
    onFrontPage,
    createdAt: isoMicroseconds(times.createdAt),
    updatedAt: isoMicroseconds(times.updatedAt),
  };
}

function presentQuery({ hiddenSources, hiddenCategories, ...query }: SearchQuery) {
  return { ...query, hiddenSources: [...hiddenSources], hiddenCategories: [...hiddenCategories] };
}
