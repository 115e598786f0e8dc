import { html } from 'ghtml';
import type { Static, TObject } from 'typebox';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, invalidField, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { Id } from '../../../foundation/ids.ts';
import { parseId } from '../../../foundation/ids.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import { drafts, deskActions, requireDesk } from '../../../newsroom/desk/index.ts';
import type { editions } from '../../../record/index.ts';
import { notice } from '../../shell/form-controls.ts';
import { say, sayCount } from '../../shell/words/say.ts';
import { badge, emptyState, rows } from '../components/parts.ts';
import type { PersonalPage, Shown } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import { checkRoute } from './check-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  requireDone,
  staleForm,
  unsupportedText,
} from './desk-frame.ts';
import { draftPage, draftPath, draftTitle, shanghaiTime } from './draft-page.ts';

const DraftParams = Type.Object({
  kind: Type.Enum(['daily', 'weekly', 'monthly']),
  period: Type.String({ maxLength: 16, pattern: '^[0-9W-]+$' }),
});
const DoneQuery = closedObject({ done: Type.Optional(Type.Literal('1')) });
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const language = Type.Enum([...readerLanguages]);
const ItemForm = closedObject({ ...formProperties, item: text(200), other: text(300) });
const MoveForm = closedObject({ ...formProperties, item: text(40), before: text(40) });
const RewriteForm = closedObject({
  ...formProperties,
  language,
  headline: text(300),
  overview: text(2_000),
  unverified: text(400),
});
const NoteForm = closedObject({ ...formProperties, language, note: text(1_000), unverified: text(400) });
const PreviewForm = closedObject(formProperties);

/** Drafts of reports: the open ones, and each with its forms. */
export function draftPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/editions',
      operationId: 'showDrafts',
      problems: [forbidden, notFound],
      show: async ({ visitor }) => listPage(await enterDesk(tools, visitor)),
    }),
    defineMemberPage(tools, {
      path: '/desk/editions/{kind}/{period}',
      operationId: 'showDraft',
      params: DraftParams,
      query: DoneQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, params, query }) =>
        showDraft(await enterDesk(tools, visitor), params, { isDone: query.done !== undefined }),
    }),
    ...itemForms(tools),
    ...textForms(tools),
    ...textChecks(tools),
    ...previewForms(tools),
  ];
}

async function showDraft(
  visit: DeskVisit,
  key: editions.EditionKey,
  options: Parameters<typeof draftPage>[2],
): Promise<Shown> {
  requireDesk(visit.actor, deskActions.editions.read, 'editions', `${key.kind}-${key.period}`);
  const { database, clock, language: own, aliases = [] } = visit.tools.desk;
  const open = await drafts.findOpenDraft(database, clock.now(), key);
  if (open === null) return closedDraft(visit, key, options.problem);
  const draft = await drafts.readDraft({ language: own, aliases }, database, key);
  return draftPage(visit, { ...open, draft }, options);
}

/** A published report has a public page; any other period has no draft now. */
function closedDraft(
  visit: DeskVisit,
  key: editions.EditionKey,
  problem: ProblemError | undefined,
): Promise<PersonalPage> {
  return listPage(visit, { problem, closed: key });
}

async function listPage(
  visit: DeskVisit,
  {
    closed,
    problem,
  }: { readonly closed?: editions.EditionKey; readonly problem?: ProblemError | undefined } = {},
): Promise<PersonalPage> {
  const { words, tools, actor } = visit;
  requireDesk(actor, deskActions.editions.read, 'editions');
  const { database, clock, language: own, aliases = [] } = tools.desk;
  const open = [];
  for (const one of drafts.openDrafts(clock.now())) {
    if ((await drafts.findOpenDraft(database, clock.now(), one)) === null) continue;
    const { operations } = await drafts.readDraft({ language: own, aliases }, database, one);
    open.push({ ...one, edits: operations.length });
  }
  const why = problem?.detail ?? (closed === undefined ? null : words.refusals['draft_closed']);
  return deskPage(visit, {
    section: 'editions',
    title: words.sections.editions,
    lead: html`${say('Drafts of reports open one hour before publication. Changes that you save are published with the report.')}`,
    main: html`!${why === null || why === undefined ? '' : notice('bad', html`${why}`)}
    !${
      open.length === 0
        ? emptyState({
            icon: 'layers',
            title: say('No drafts are open.'),
            text: say(
              'The draft of the daily is open every day from 07:00 to 08:00 Shanghai time, that of the weekly on Mondays from 09:00 to 10:00, and that of the monthly on the 1st from 09:30 to 10:30.',
            ),
          })
        : rows(
            open.map((one) => ({
              title: draftTitle(one),
              href: draftPath(one),
              text: html`${say('Published at {time}, with or without edits', { time: shanghaiTime(one.dueAt) })}`,
              end: badge(
                one.edits === 0 ? 'off' : 'good',
                one.edits === 0
                  ? say('Composed by rule')
                  : sayCount(one.edits, '{count} edit', '{count} edits'),
              ),
            })),
          )
    }`,
  });
}

type Key = Static<typeof DraftParams>;
type Sent<Body extends TObject> = Parameters<
  Parameters<typeof defineMemberForm<typeof DraftParams, undefined, Body>>[1]['show']
>[0]['body'];

/** A form about a draft; a refused one is shown again with what was typed. */
function draftForm<Body extends TObject>(
  tools: DeskTools,
  { name, body }: { readonly name: string; readonly body: Body },
  run: (visit: DeskVisit, key: Key, body: Sent<Body>) => Promise<Shown | undefined>,
): RouteDeclaration {
  return defineMemberForm<typeof DraftParams, undefined, Body>(tools, {
    path: `/desk/editions/{kind}/{period}/${name}`,
    operationId: `draft_${name.replaceAll('-', '_')}`,
    params: DraftParams,
    body,
    problems: [forbidden, notFound, conflict, staleForm, unsupportedText],
    show: async ({ visitor, params, body: sent }) =>
      (await run(await enterDesk(tools, visitor), params, sent)) ?? { to: `${draftPath(params)}?done=1` },
    refused: async ({ visitor, params, body: typed }, problem) => {
      const shown = await showDraft(await enterDesk(tools, visitor), params, { problem, typed });
      if ('to' in shown) throw problem;
      return shown;
    },
  });
}

/** Accepts an id, or the address of an item's page. */
function itemIdOf(typed: string, field: string): Id<'item'> {
  const parsed = parseId<'item'>(typed.trim().split(/[?#]/u)[0]?.split('/').at(-1) ?? '');
  if (!parsed.ok) throw invalidField(field, say('Choose an item, or enter its address or ID.'));
  return parsed.value;
}

function itemForms(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    ...(['drop', 'pin', 'add'] as const).map((op) =>
      draftForm(tools, { name: op, body: ItemForm }, async ({ editor, words }, key, body) => {
        const { item = '', other = '' } = body;
        const isTyped = op === 'add' && other.trim() !== '';
        const itemId = itemIdOf(isTyped ? other : item, isTyped ? 'other' : 'item');
        requireDone(words, await editor.editDraft({ ...key, change: { op, itemId }, ...formOf(body) }));
        return undefined;
      }),
    ),
    draftForm(tools, { name: 'move', body: MoveForm }, async ({ editor, words }, key, body) => {
      const { item = '', before = '' } = body;
      const beforeId = before === '' ? null : itemIdOf(before, 'before');
      const change = { op: 'move', itemId: itemIdOf(item, 'item'), beforeId } as const;
      requireDone(words, await editor.editDraft({ ...key, change, ...formOf(body) }));
      return undefined;
    }),
  ];
}

const oneLine = (typed = ''): string => typed.replaceAll(/\s+/gu, ' ').trim();

function textForms(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    draftForm(tools, { name: 'rewrite', body: RewriteForm }, async ({ editor, words }, key, body) => {
      const unverified = oneLine(body.unverified);
      const change = {
        op: 'rewrite',
        language: body.language,
        headline: oneLine(body.headline),
        overview: oneLine(body.overview),
        ...(unverified !== '' && { unverified }),
      } as const;
      requireDone(words, await editor.editDraft({ ...key, change, ...formOf(body) }));
      return undefined;
    }),
    draftForm(tools, { name: 'note', body: NoteForm }, async ({ editor, words }, key, body) => {
      const unverified = oneLine(body.unverified);
      const change = {
        op: 'note',
        language: body.language,
        note: oneLine(body.note),
        ...(unverified !== '' && { unverified }),
      } as const;
      requireDone(words, await editor.editDraft({ ...key, change, ...formOf(body) }));
      return undefined;
    }),
  ];
}

/** The checks of the forms while they are filled in. */
function textChecks(tools: DeskTools): readonly RouteDeclaration[] {
  const requireRead = ({ actor }: DeskVisit, { kind, period }: Key): void =>
    requireDesk(actor, deskActions.editions.read, 'editions', `${kind}-${period}`);
  return [
    checkRoute(tools, {
      path: '/desk/editions/{kind}/{period}/rewrite/check',
      operationId: 'checkDraftTextOnDesk',
      params: DraftParams,
      body: RewriteForm,
      check: async (visit, { params, body }) => {
        requireRead(visit, params);
        return visit.editor.checkDraftText(params, {
          op: 'rewrite',
          language: body.language,
          headline: oneLine(body.headline),
          overview: oneLine(body.overview),
        });
      },
    }),
    checkRoute(tools, {
      path: '/desk/editions/{kind}/{period}/note/check',
      operationId: 'checkDraftNoteOnDesk',
      params: DraftParams,
      body: NoteForm,
      check: async (visit, { params, body }) => {
        requireRead(visit, params);
        return visit.editor.checkDraftText(params, {
          op: 'note',
          language: body.language,
          note: oneLine(body.note),
        });
      },
    }),
  ];
}

/** A preview is of the draft as it is when it is opened. */
function unversioned(body: Parameters<typeof formOf>[0]) {
  const { requestId, requestHash } = formOf(body);
  return { requestId, requestHash };
}

function previewForms(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    draftForm(tools, { name: 'preview', body: PreviewForm }, async (visit, key, body) => {
      const made = await visit.editor.previewDraft({ ...key, ...unversioned(body) });
      requireDone(visit.words, made);
      // A repeated request: the address was shown once, and is not stored.
      return showDraft(visit, key, made.ok ? { preview: made.value } : { isPreviewRepeated: true });
    }),
    draftForm(tools, { name: 'end-previews', body: PreviewForm }, async ({ editor, words }, key, body) => {
      requireDone(words, await editor.endDraftPreviews({ ...key, ...unversioned(body) }));
      return undefined;
    }),
  ];
}
