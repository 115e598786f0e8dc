import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { untrimmedNamePattern } from '../../../foundation/readable-name.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import { sourceNames } from '../../../record/comparing/index.ts';
import { categories } from '../../../record/index.ts';
import { savedSearches } from '../../../watch/index.ts';
import { checkboxes, choiceOption, field, select } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { Visitor } from '../visitor.ts';
import type { WatchTools } from './watch-frame.ts';

const words = Type.Optional(Type.String({ maxLength: 1_000 }));
const namesCharsMax = 20_000;

export const SearchForm = closedObject({
  name: Type.Optional(
    Type.Union([Type.Literal(''), Type.String({ maxLength: 100, pattern: untrimmedNamePattern })]),
  ),
  q: words,
  without: words,
  mode: Type.Optional(Type.Enum(['selected', 'all'])),
  category: Type.Optional(Type.Union([Type.Literal(''), Type.Enum([...categories])])),
  source: words,
  language: Type.Optional(Type.String({ pattern: '^(?:[a-z]{2,3})?$' })),
  hiddenSources: Type.Optional(Type.String({ maxLength: namesCharsMax })),
  hiddenCategories: Type.Optional(Type.Array(Type.Enum([...categories]), { maxItems: categories.length })),
  minSources: Type.Optional(Type.String({ pattern: '^[0-9]{0,2}$' })),
  mail: Type.Optional(Type.Enum([...savedSearches.mailFrequencies])),
  wording: Type.Optional(Type.Enum([...readerLanguages])),
  onFrontPage: Type.Optional(Type.Literal('on')),
});
export type SearchFormBody = Static<typeof SearchForm>;

/** What the form says; raises `invalid_request` with the name of the field. */
export async function readSearchForm({ watch }: WatchTools, body: SearchFormBody, visitor: Visitor) {
  const { category = '', source = '', language = '', minSources = '' } = body;
  const hidden = (body.hiddenSources ?? '')
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wanted = source.trim() === '' ? [] : [source.trim()];
  const known = await sourceNames.findSourcesByName(watch.database, [...wanted, ...hidden]);
  const idOf = (name: string, at: string): string => {
    const found = known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw invalidField(at, say('No source is named {name}', { name }));
    return found.id;
  };
  const query = savedSearches.readQuery(
    {
      ...(body.q === undefined ? {} : { q: body.q }),
      ...(body.without === undefined ? {} : { without: body.without }),
      ...(body.mode === undefined ? {} : { mode: body.mode }),
      ...(category === '' ? {} : { category }),
      ...(language === '' ? {} : { language }),
      ...(wanted.length === 0 ? {} : { source: idOf(wanted[0] ?? '', 'source') }),
      hiddenSources: hidden.map((name, line) => idOf(name, `hiddenSources.${line}`)),
      hiddenCategories: body.hiddenCategories ?? [],
      minSources: Math.min(50, Math.max(1, Number(minSources))),
    },
    '',
  );
  const name = (body.name ?? '').trim();
  return {
    name: name === '' ? savedSearches.nameOf({ ...query, source: null }) || source.trim() : name,
    query,
    mail: body.mail ?? 'never',
    wording: body.wording ?? visitor.language,
    onFrontPage: body.onFrontPage === 'on',
  } as const;
}

/** The form of a stored search. */
export async function filledForm(
  { watch }: WatchTools,
  { name, query, mail, wording, onFrontPage }: savedSearches.SavedSearch,
): Promise<SearchFormBody> {
  const { q, without, mode, category, source, language, hiddenSources, hiddenCategories, minSources } = query;
  const ids = source === null ? hiddenSources : [source, ...hiddenSources];
  const names = new Map(
    (await sourceNames.readSourceNames(watch.database, ids)).map((one) => [one.id, one.name]),
  );
  return {
    name,
    q: q ?? '',
    without: without ?? '',
    mode,
    category: (category ?? '') as NonNullable<SearchFormBody['category']>,
    source: source === null ? '' : (names.get(source) ?? ''),
    language: language ?? '',
    hiddenSources: hiddenSources.map((id) => names.get(id) ?? id).join('\n'),
    hiddenCategories: [...hiddenCategories] as NonNullable<SearchFormBody['hiddenCategories']>,
    minSources: String(minSources),
    mail,
    wording,
    ...(onFrontPage && { onFrontPage: 'on' }),
  };
}

const languagesOffered = ['en', 'zh', 'de', 'fr', 'es', 'ja', 'ko'] as const;

export function searchFields(
  { sendsMail }: WatchTools,
  visitor: Visitor,
  filled: SearchFormBody,
  problem: ProblemError | null,
): string {
  return [
    textField(
      'q',
      say('Words'),
      filled,
      problem,
      say('Every word must occur in the title, summary or source name.'),
    ),
    textField(
      'without',
      say('Excluded words'),
      filled,
      problem,
      say('Items that contain any of these words are excluded.'),
    ),
    textField(
      'source',
      say('Only from this source'),
      filled,
      problem,
      say('The exact name, as on the Sources page.'),
    ),
    narrowing(visitor, filled, problem),
    hiding(visitor, filled, problem),
    delivery(sendsMail, filled),
    textField('name', say('Name'), filled, problem, say('Default: the words above.')),
  ].join('');
}

function textField(
  name: 'q' | 'without' | 'source' | 'name',
  label: string,
  filled: SearchFormBody,
  problem: ProblemError | null,
  hint: string,
): string {
  const maxLength = name === 'name' ? 100 : 200;
  return field({
    name,
    label,
    hint,
    value: filled[name] ?? '',
    required: false,
    maxLength,
    autocomplete: 'off',
    problem,
  });
}

const categoryOptions = ({ language }: Visitor) =>
  categories.map((value) => ({ value, label: wordsOf(language).categories[value] ?? value }));

function narrowing(visitor: Visitor, filled: SearchFormBody, problem: ProblemError | null): string {
  const languageNames = new Intl.DisplayNames([visitor.language], { type: 'language' });
  return [
    select({
      name: 'category',
      label: say('Category'),
      options: [{ value: '', label: say('All categories') }, ...categoryOptions(visitor)],
      chosen: [filled.category ?? ''],
    }),
    select({
      name: 'language',
      label: say('Language of items'),
      options: [
        { value: '', label: say('All languages') },
        ...languagesOffered.map((value) => ({ value, label: languageNames.of(value) ?? value })),
      ],
      chosen: [filled.language ?? ''],
    }),
    select({
      name: 'mode',
      label: say('Items'),
      options: [
        { value: 'all', label: say('All items') },
        { value: 'selected', label: say('Selected items only') },
      ],
      chosen: [filled.mode ?? 'all'],
    }),
    field({
      name: 'minSources',
      label: say('Minimum number of sources'),
      hint: say('An item matches when at least this many independent sources report its story.'),
      value: filled.minSources ?? '1',
      required: false,
      maxLength: 2,
      autocomplete: 'off',
      problem,
    }),
  ].join('');
}

function hiding(visitor: Visitor, filled: SearchFormBody, problem: ProblemError | null): string {
  return [
    field({
      name: 'hiddenSources',
      label: say('Hidden sources'),
      hint: say('One name per line.'),
      value: filled.hiddenSources ?? '',
      required: false,
      rows: 3,
      problem,
    }),
    checkboxes({
      name: 'hiddenCategories',
      label: say('Hidden categories'),
      options: categoryOptions(visitor),
      chosen: filled.hiddenCategories ?? [],
    }),
  ].join('');
}

export const mailLabels = (): Readonly<Record<savedSearches.MailFrequency, string>> => ({
  never: say('No e-mail'),
  hourly: say('Hourly, when new items match'),
  daily: say('Daily at 08:00 Shanghai time'),
});

function delivery(sendsMail: boolean, filled: SearchFormBody): string {
  const labels = mailLabels();
  const mail = select({
    name: 'mail',
    label: say('E-mail'),
    options: savedSearches.mailFrequencies.map((value) => ({ value, label: labels[value] })),
    chosen: [filled.mail ?? 'never'],
  });
  const wording = select({
    name: 'wording',
    label: say('Language of e-mail and feed'),
    options: [
      { value: 'en', label: 'English' },
      { value: 'zh', label: '中文' },
    ],
    chosen: [filled.wording ?? 'en'],
  });
  const front = choiceOption(
    { type: 'checkbox', name: 'onFrontPage', isChosen: filled.onFrontPage === 'on' },
    { value: 'on', label: say('Show new items on the front page in this browser') },
  );
  return html`!${sendsMail ? mail : ''} !${wording}
    <div class="field">!${front}</div>`;
}
