import { html } from 'ghtml';
import type { Static } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { invalidField } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import type { deskReading } from '../../../newsroom/desk/index.ts';
import { deskJournal } from '../../../newsroom/desk/index.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { badge, card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { IdParams } from '../console-route.ts';
import { checkRoute } from './check-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { DeskRefusal, deskForm, formOf, formProperties, formState, requireDone } from './desk-frame.ts';
import { checked, findingsPart } from './item-parts.ts';
import { textLine } from './text-line.ts';

const sentencesMax = 40;
const DigestForm = closedObject({
  ...formProperties,
  language: Type.Enum([...readerLanguages]),
  sentences: Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: sentencesMax })),
  /** Of each sentence: numbers of items, as the page lists them. */
  cites: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: sentencesMax })),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  unverified: Type.Optional(Type.String({ maxLength: 400 })),
});
export type TypedDigest = Static<typeof DigestForm>;

type Story = deskReading.DeskStory;
type Sentences = NonNullable<Story['digests']['en']>;

interface DigestPages {
  readonly requireStory: (visit: DeskVisit, id: string) => Promise<Story>;
  readonly show: (
    visit: DeskVisit,
    id: string,
    options: { readonly problem: ProblemError; readonly digest: TypedDigest },
  ) => Promise<PersonalPage>;
}

/** The form of a digest, sentence by sentence, and its check. */
export function digestRoutes(
  tools: DeskTools,
  { requireStory, show }: DigestPages,
): readonly RouteDeclaration[] {
  return [
    deskForm(
      tools,
      { path: '/desk/stories/{id}/digest', operationId: 'rewriteDigestOnDesk', body: DigestForm },
      async (visit, id, body) => {
        const story = await requireStory(visit, id);
        const unverified = (body.unverified ?? '').trim();
        const done = await visit.editor.rewriteDigest({
          storyId: story.id,
          language: body.language,
          sentences: sentencesIn(body, story),
          reason: (body.reason ?? '').trim(),
          ...(unverified !== '' && { unverified }),
          ...formOf(body),
        });
        requireDone(visit.words, done);
        return { to: `/desk/stories/${id}?done=1` };
      },
      (visit, id, digest, problem) => show(visit, id, { problem, digest }),
    ),
    checkRoute(tools, {
      path: '/desk/stories/{id}/digest/check',
      operationId: 'checkDigestOnDesk',
      params: IdParams,
      body: DigestForm,
      check: async (visit, { params, body }) => {
        const story = await requireStory(visit, params.id);
        return visit.editor.checkDigest(story.id, body.language, sentencesIn(body, story));
      },
    }),
  ];
}

/** Rows without text are left out. */
function sentencesIn({ sentences = [], cites = [] }: TypedDigest, { items }: Story): Sentences {
  return sentences.flatMap((typed, row) => {
    const text = typed.replaceAll(/\s+/gu, ' ').trim();
    if (text === '') return [];
    const numbers = (cites[row] ?? '').match(/\d+/gu) ?? [];
    const ids = numbers.map((number) => items[Number(number) - 1]?.id);
    if (ids.includes(undefined)) throw invalidField('cites', say('Use the item numbers of this story.'));
    return [{ text, cites: [...new Set(ids as Id<'item'>[])] }];
  });
}

interface DigestCard {
  readonly mayEdit: boolean;
  readonly typed?: TypedDigest | undefined;
  readonly problem?: ProblemError | undefined;
}

/** The digest in a language; a story of one source has none until an editor writes it. */
export function digestCard(
  visit: DeskVisit,
  story: Story,
  language: ReaderLanguage,
  { mayEdit, typed, problem }: DigestCard,
): string {
  const now = story.digests[language];
  const title = language === 'en' ? say('Digest in English') : say('Digest in Chinese');
  const isByEditor = story.byEditor.includes(`digest-${language}`);
  const action = isByEditor ? badge('plain', say('By an editor')) : '';
  if (!mayEdit)
    return now === null
      ? ''
      : card({
          title,
          action,
          isPadded: true,
          content: now.map(({ text }) => html`<p lang="${language}">${text}</p>`).join(''),
        });
  return card({
    title,
    action,
    text: say('Each sentence cites the numbers of the items that support it. Rules do not change your text.'),
    isPadded: true,
    content: digestForm(visit, story, {
      language,
      typed: typed?.language === language ? typed : undefined,
      problem,
    }),
  });
}

function digestForm(
  visit: DeskVisit,
  story: Story,
  {
    language,
    typed,
    problem,
  }: {
    readonly language: ReaderLanguage;
    readonly typed: TypedDigest | undefined;
    readonly problem: ProblemError | undefined;
  },
): string {
  const { words } = visit;
  const { title, digests } = story;
  const itemIds = story.items.map(({ id }) => id).sort();
  const version = deskJournal.versionOf({
    kind: 'story',
    title,
    itemIds,
    digests: { [language]: digests[language] },
  });
  const address = `/desk/stories/${story.id}/digest`;
  const findings = `findings-${language}`;
  const isUnsupported =
    typed !== undefined && problem instanceof DeskRefusal && problem.reason === 'unsupported_text';
  const rows = [...rowsOf(story, language, typed), { text: '', cites: '' }].slice(0, sentencesMax);
  return html`!${checked(
    `${address}/check`,
    form({
      action: address,
      submit: say('Save digest'),
      label: language === 'en' ? say('Save digest in English') : say('Save digest in Chinese'),
      fields: html`!${formState(visit, version)}!${hidden('language', language)}
        !${rows.map((row, at) => sentenceFields(row, at + 1, language))}
        <p class="hint">${say('An empty sentence is removed. Write a new one in the last row.')}</p>
        !${textLine('reason', words.fields.privateReason, { value: typed?.reason ?? '' })}
        !${isUnsupported ? textLine('unverified', say('Publish anyway with a statement (public, added as the last sentence)'), { value: typed.unverified ?? '', required: false }) : ''}`,
    }),
    findings,
  )}
  !${findingsPart(words, problem instanceof DeskRefusal && typed !== undefined ? problem.findings : null, findings)}`;
}

interface SentenceRow {
  readonly text: string;
  readonly cites: string;
}

function rowsOf(
  { digests, items }: Story,
  language: ReaderLanguage,
  typed: TypedDigest | undefined,
): readonly SentenceRow[] {
  if (typed !== undefined)
    return (typed.sentences ?? []).map((text, at) => ({ text, cites: typed.cites?.[at] ?? '' }));
  const numberOf = new Map(items.map(({ id }, at) => [id, at + 1]));
  return (digests[language] ?? []).map(({ text, cites }) => ({
    text,
    cites: cites.flatMap((id) => numberOf.get(id) ?? []).join(', '),
  }));
}

function sentenceFields({ text, cites }: SentenceRow, number: number, language: ReaderLanguage): string {
  return html`<div class="sentence">
    <label
      >${say('Sentence {number}', { number })}
      <textarea name="sentences" rows="${rowsFor(text, language)}" maxlength="1000" lang="${language}">
${text}</textarea>
    </label>
    <label
      >${say('Item numbers')} <input name="cites" value="${cites}" maxlength="200" autocomplete="off"
    /></label>
  </div>`;
}

/** So that a sentence is visible without scrolling. */
function rowsFor(text: string, language: ReaderLanguage): number {
  return Math.max(2, Math.ceil(text.length / (language === 'zh' ? 32 : 72)));
}
