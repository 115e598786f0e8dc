import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { deskActions, deskJournal, requireDesk } from '../../../newsroom/desk/index.ts';
import { form, hidden, notice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge, card, difference } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import {
  deskPage,
  enterDesk,
  formOf,
  formProperties,
  formState,
  linesOf,
  refusalNotice,
  requireDone,
  staleForm,
} from './desk-frame.ts';

type JournalEntry = deskJournal.JournalEntry;

const number = Type.String({ pattern: '^[1-9][0-9]{0,17}$' });
const JournalQuery = closedObject({
  cursor: Type.Optional(number),
  done: Type.Optional(Type.Literal('1')),
});
/** A page of the desk that the undo returns to: it shows the result. */
const backForm = '^/desk/[a-z]+(/[0-9A-Za-z-]+){1,2}$';
const UndoForm = closedObject({
  ...formProperties,
  reason: Type.Optional(Type.String({ maxLength: 500 })),
  back: Type.Optional(Type.String({ maxLength: 100, pattern: backForm })),
});
const EntryParams = Type.Object({ entry: number });

const pageMax = 50;

/** Every decision, newest first, and undo. */
export function journalPages(tools: DeskTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path: '/desk/journal',
      operationId: 'showJournal',
      query: JournalQuery,
      problems: [forbidden, notFound],
      show: async ({ visitor, query: { cursor, done } }) =>
        journalPage(await enterDesk(tools, visitor), { cursor, isDone: done !== undefined }),
    }),
    defineMemberForm(tools, {
      path: '/desk/journal/{entry}/undo',
      operationId: 'undoOnDesk',
      params: EntryParams,
      body: UndoForm,
      problems: [forbidden, notFound, conflict, staleForm],
      show: async ({ visitor, params, body }) => {
        const { actor, editor, words } = await enterDesk(tools, visitor);
        // Whether an entry can be undone is for readers of the journal.
        requireDesk(actor, deskActions.journal.read, 'journal');
        const reason = (body.reason ?? '').trim();
        const { requestId, requestHash } = formOf(body);
        const given = reason === '' ? words.undoReason : reason;
        requireDone(words, await editor.undo({ id: params.entry, reason: given, requestId, requestHash }));
        return { to: `${body.back ?? '/desk/journal'}?done=1` };
      },
      refused: async ({ visitor }, problem) => journalPage(await enterDesk(tools, visitor), { problem }),
    }),
  ];
}

async function journalPage(
  visit: DeskVisit,
  {
    cursor,
    isDone = false,
    problem,
  }: { readonly cursor?: string | undefined; readonly isDone?: boolean; readonly problem?: ProblemError },
): Promise<PersonalPage> {
  const { words, tools } = visit;
  requireDesk(visit.actor, deskActions.journal.read, 'journal');
  const found = await deskJournal.listJournal(tools.desk.database, {
    ...(cursor !== undefined && { before: cursor }),
    countMax: pageMax + 1,
  });
  const entries = found.slice(0, pageMax);
  const hasMore = found.length > pageMax;
  return deskPage(visit, {
    section: 'journal',
    title: words.sections.journal,
    lead: html`${words.journal.lead}`,
    main: html`!${isDone ? notice('good', html`${words.done}`) : ''} !${refusalNotice(visit, problem)}
    !${await journalTable(visit, entries, {
      pagination: {
        hasMore,
        nextCursor: hasMore ? (entries.at(-1)?.id ?? null) : null,
        label: words.journal.older,
        isFirst: cursor === undefined,
      },
    })}`,
  });
}

interface Pages {
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly label: string;
  readonly isFirst: boolean;
}

/** The journal of one subject, newest first, for its page; empty for those who may not read the journal. */
export async function journalCard(
  visit: DeskVisit,
  subject: string,
  { countMax = 20, back }: { readonly countMax?: number; readonly back?: string } = {},
): Promise<string> {
  if (!visit.may(deskActions.journal.read, 'journal')) return '';
  const entries = await deskJournal.listJournal(visit.tools.desk.database, { subject, countMax });
  const { journal, sections } = visit.words;
  if (entries.length === 0)
    return card({
      title: sections.journal,
      isPadded: true,
      content: html`<p class="hint">${journal.none}</p>`,
    });
  return card({ title: sections.journal, content: await journalTable(visit, entries, { back }) });
}

/** Entries with what changed, and a button to undo each that can be undone. */
async function journalTable(
  visit: DeskVisit,
  entries: readonly JournalEntry[],
  { pagination, back }: { readonly pagination?: Pages; readonly back?: string | undefined },
): Promise<string> {
  const { words, visitor, tools } = visit;
  const now = tools.desk.clock.now();
  const undoable = await deskJournal.readUndoable(tools.desk.database, entries, now);
  const titles = await deskJournal.readSubjectTitles(
    tools.desk.database,
    entries.map(({ subject }) => subject),
  );
  return dataTable(visitor.language, {
    caption: words.sections.journal,
    columns: [
      {
        label: words.journal.what,
        place: 'main',
        cell: (entry) =>
          html`!${subjectLink(words.journal.actions[entry.action] ?? entry.action, entry)}
          !${entry.before === null ? html`<small>${titles.get(`${entry.subject.kind} ${entry.subject.id}`) ?? ''}</small>` : ''}
          !${changeOf(visit, entry)}`,
      },
      { label: words.journal.who, place: 'also', cell: ({ actor }) => html`${actorName(visit, actor)}` },
      { label: words.journal.when, place: 'also', cell: ({ at }) => ago(at, now, visitor.language) },
      { label: words.journal.why, place: 'low', cell: ({ reason }) => html`${reason ?? ''}` },
      { label: words.buttons.undo, place: 'end', cell: (entry) => undoOf(visit, entry, undoable, back) },
    ],
    rows: entries,
    ...(pagination !== undefined && { pagination }),
    empty: { icon: 'clock', title: words.journal.none },
  });
}

function subjectLink(label: string, { subject: { kind, id } }: JournalEntry): string {
  if (kind === 'item') return html`<a class="name" href="/desk/items/${id}">${label}</a>`;
  if (kind === 'story') return html`<a class="name" href="/desk/stories/${id}">${label}</a>`;
  if (kind === 'source') return html`<a class="name" href="/desk/sources/${id}">${label}</a>`;
  if (kind === 'entry') return html`<a class="name" href="/desk/entries/${id}">${label}</a>`;
  if (kind === 'report') return html`<strong>${label}</strong>`;
  return html`<a class="name" href="/desk/editions/${kind}/${id}">${label}</a> ${kind} ${id}`;
}

function actorName({ words }: DeskVisit, actor: JournalEntry['actor']): string {
  if (actor.kind === 'person') return actor.name ?? words.journal.deletedAccount;
  return actor.kind === 'rule' ? words.journal.rule(ruleName(actor.rule)) : words.journal.operator;
}

function ruleName(rule: string): string {
  const names: Readonly<Record<string, string>> = {
    selection: say('selection'),
    representative: say('the best report of its group'),
    'withdrawn-by-publisher': say('withdrawn by its publisher'),
    source: say('source setting'),
    draft: say('report draft'),
  };
  return names[rule] ?? rule;
}

function changeOf({ words, visitor }: DeskVisit, { before, after, isErased, undoes }: JournalEntry): string {
  const note = undoes === null ? '' : html`<p class="hint">${words.journal.undoes}</p>`;
  if (isErased)
    return html`!${note}
      <p class="hint">${words.journal.erased}</p>`;
  if (before === null) return note;
  const was = linesOf(words, before);
  const is = after === null ? was : linesOf(words, after);
  const isSame = was.length === is.length && was.every((line, at) => line === is[at]);
  return html`!${note}!${isSame ? html`<p class="hint">${was[0] ?? ''}</p>` : difference(visitor.language, was, is)}`;
}

function undoOf(
  visit: DeskVisit,
  entry: JournalEntry,
  undoable: ReadonlySet<string>,
  back: string | undefined,
): string {
  const { words } = visit;
  if (entry.undoneBy !== null) return badge('off', words.journal.undone);
  if (!undoable.has(entry.id)) return '';
  return html`<div data-key="u">!${undoForm(visit, entry, { back })}</div>`;
}

/** The button that undoes an entry. */
export function undoForm(
  visit: DeskVisit,
  { id, action }: JournalEntry,
  {
    back,
    submit,
    label,
  }: {
    readonly back?: string | undefined;
    readonly submit?: string;
    /** Spoken. */
    readonly label?: string;
  },
): string {
  const { buttons, journal } = visit.words;
  return form({
    action: `/desk/journal/${id}/undo`,
    submit: submit ?? buttons.undo,
    label: label ?? `${buttons.undo}: ${journal.actions[action] ?? action}`,
    fields: html`!${formState(visit)}!${back === undefined ? '' : hidden('back', back)}`,
    small: true,
  });
}

/** After a decision, with its undo; the person's last decision is the one that was just taken. */
export async function doneNotice(visit: DeskVisit, isDone = true, back?: string): Promise<string> {
  if (!isDone) return '';
  const { words, tools, visitor } = visit;
  const { database, clock } = tools.desk;
  const [last] = visit.may(deskActions.journal.read, 'journal')
    ? await deskJournal.listJournal(database, { accountId: visitor.account.id, countMax: 1 })
    : [];
  const canUndo =
    last !== undefined && (await deskJournal.readUndoable(database, [last], clock.now())).has(last.id);
  return notice(
    'good',
    html`${words.done} !${canUndo ? html`<div data-key="u">!${undoForm(visit, last, { back })}</div>` : ''}`,
  );
}
