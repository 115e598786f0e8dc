import { html } from 'ghtml';

import { hourMs } from '../../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { addMs, isoMilliseconds } from '../../../foundation/instant.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { readerLanguages } from '../../../foundation/reader-language.ts';
import { deskActions, deskJournal, drafts } from '../../../newsroom/desk/index.ts';
import type { editions } from '../../../record/index.ts';
import { form, hidden, notice, radios, shownOnce } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { badge, beside, card, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import type { DeskVisit } from './desk-frame.ts';
import { deskPage, formState, linesOf, refusalNotice } from './desk-frame.ts';
import type { DraftText } from './draft-text-cards.ts';
import { draftNoteCard, draftTextCard } from './draft-text-cards.ts';
import { doneNotice, journalCard, undoForm } from './journal-pages.ts';

/** Candidates that the page offers to add; others are added by their id. */
const offeredMax = 30;

type Key = editions.EditionKey;
type OpenDraft = drafts.OpenDraft & { readonly draft: drafts.Draft };

export const draftPath = ({ kind, period }: Key): string => `/desk/editions/${kind}/${period}`;

export function draftTitle({ kind, period }: Key): string {
  if (kind === 'daily') return say('Draft of the daily {period}', { period });
  return kind === 'weekly'
    ? say('Draft of the weekly {period}', { period })
    : say('Draft of the monthly {period}', { period });
}

/** Reports are published by the calendar and the clock of Shanghai. */
export function shanghaiTime(at: EpochMicroseconds): string {
  const iso = isoMilliseconds(addMs(at, shanghaiOffsetMs));
  return say('{time} Shanghai time', { time: `${iso.slice(0, 10)} ${iso.slice(11, 16)}` });
}

const shanghaiOffsetMs = 8 * hourMs;

interface PageOptions {
  readonly isDone?: boolean;
  readonly problem?: ProblemError;
  /** What was sent with the refused form. */
  readonly typed?: Readonly<Record<string, unknown>>;
  readonly preview?: { readonly token: string; readonly expiresAt: EpochMicroseconds };
  readonly isPreviewRepeated?: boolean;
}

/** The draft as it would be published now, with a form for each edit. */
export async function draftPage(
  visit: DeskVisit,
  open: OpenDraft,
  options: PageOptions,
): Promise<PersonalPage> {
  const { draft } = open;
  const mayEdit = visit.may(deskActions.editions.compose, 'editions', `${open.kind}-${open.period}`);
  const state = () => formState(visit, drafts.versionOfDraft(draft));
  const pins = await readPins(visit, open);
  const page: Part = { visit, open, options, mayEdit, state, pins };
  return deskPage(visit, {
    section: 'editions',
    about: { kind: open.kind, id: open.period },
    title: draftTitle(open),
    lead: html`${say('Published at {time}, with or without edits', { time: shanghaiTime(open.dueAt) })}`,
    main: html`!${await doneNotice(visit, options.isDone === true, draftPath(open))}
    !${refusalNotice(visit, options.problem, typedLines(options))} !${previewNotice(page)}
    !${draft.composed === null ? notice('plain', html`${say('The rules have not chosen any entries yet.')}`) : ''}
    !${beside(
      html`!${entriesCard(page)} !${unappliedCard(page)}
      !${readerLanguages.map((language) => draftTextCard(visit, textOf(page, language)))}
      !${await journalCard(visit, open.period, { countMax: 50, back: draftPath(open) })}`,
      html`!${mayEdit ? addCard(page) : ''}
      !${readerLanguages.map((language) => draftNoteCard(visit, textOf(page, language)))}
      !${mayEdit ? previewCard(page) : ''}`,
    )}`,
  });
}

interface Part {
  readonly visit: DeskVisit;
  readonly open: OpenDraft;
  readonly options: PageOptions;
  readonly mayEdit: boolean;
  /** The hidden fields of a form: each has an id of its own. */
  readonly state: () => string;
  /** The pins that can be undone, by item. */
  readonly pins: ReadonlyMap<string, deskJournal.JournalEntry>;
}

async function readPins({ may, tools }: DeskVisit, { draft, period }: OpenDraft): Promise<Part['pins']> {
  const pinned = new Set<unknown>(
    draft.operations.flatMap(({ id, operation }) => (operation.op === 'pin' ? [id] : [])),
  );
  if (pinned.size === 0 || !may(deskActions.journal.read, 'journal')) return new Map();
  const entries = await deskJournal.listJournal(tools.desk.database, { subject: period, countMax: 300 });
  return new Map(
    entries.flatMap((entry) => {
      const { operation, itemId } = entry.detail;
      const isPin = entry.undoneBy === null && pinned.has(operation) && typeof itemId === 'string';
      return isPin ? [[itemId, entry] as const] : [];
    }),
  );
}

function textOf({ open, options, mayEdit, state }: Part, language: ReaderLanguage): DraftText {
  const { problem, typed } = options;
  return { language, draft: open.draft, path: draftPath(open), mayEdit, state, problem, typed };
}

function typedLines({ typed = {} }: PageOptions): readonly string[] {
  return ['headline', 'overview', 'note'].flatMap((name) => {
    const text = typed[name];
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}

function previewNotice({ visit, options: { preview, isPreviewRepeated } }: Part): string {
  if (isPreviewRepeated === true)
    return notice(
      'plain',
      html`${say('This form already created a preview address, which is shown only once. Create another address.')}`,
    );
  if (preview === undefined) return '';
  const address = `${visit.tools.identity.baseUrl}/drafts/${preview.token}`;
  return shownOnce(
    say('Preview address'),
    [address, `${address}/mail.html`, `${address}/report.json`].join('\n'),
    3,
    say('Anyone with the address can see the draft until {time}. The address will not be shown again.', {
      time: shanghaiTime(preview.expiresAt),
    }),
  );
}

function entriesCard(page: Part): string {
  const { visit, open } = page;
  const { entries, flashes } = open.draft;
  const all = [...entries, ...flashes];
  const names = wordsOf(visit.visitor.language).categories;
  const row = (item: drafts.EditionCandidate, at: number) => ({
    title: `${at + 1}. ${item.title}`,
    href: `/desk/items/${item.id}`,
    text: html`${names[item.category] ?? item.category} !${marksOf(page, item.id)}`,
    end: page.mayEdit ? itemForms(page, all, at) : '',
  });
  return html`!${card({
    title: say('Entries'),
    text: say(
      'By rule, the headline and overview are based on the first entries. Each section shows the entries of its category in this order.',
    ),
    content: rows(entries.map(row)),
  })}
  !${flashes.length === 0 ? '' : card({ title: say('In brief'), content: rows(flashes.map((item, at) => row(item, entries.length + at))) })}`;
}

function marksOf({ open }: Part, itemId: string): string {
  const is = (op: 'pin' | 'add'): boolean =>
    open.draft.operations.some(
      ({ operation }) => operation.op === op && 'itemId' in operation && operation.itemId === itemId,
    );
  if (is('pin')) return badge('good', say('Pinned'));
  return is('add') ? badge('good', say('Added by an editor')) : '';
}

function itemForms(
  { visit, open, state, pins }: Part,
  all: readonly drafts.EditionCandidate[],
  at: number,
): string {
  const item = all[at];
  if (item === undefined) return '';
  const button = (name: 'drop' | 'pin' | 'move', submit: string, extra = ''): string =>
    form({
      action: `${draftPath(open)}/${name}`,
      submit,
      label: `${submit}: ${item.title}`,
      fields: html`!${state()}!${hidden('item', item.id)}!${extra}`,
      small: true,
    });
  const above = all[at - 1];
  const pin = pins.get(item.id);
  const unpin = { submit: say('Unpin'), label: `${say('Unpin')}: ${item.title}`, back: draftPath(open) };
  return html`<div class="cluster moves">
    !${above === undefined ? '' : button('move', say('Move up'), hidden('before', above.id))}
    !${at + 1 >= all.length ? '' : button('move', say('Move down'), hidden('before', all[at + 2]?.id ?? ''))}
    !${pin === undefined ? button('pin', say('Pin')) : undoForm(visit, pin, unpin)}
    !${button('drop', say('Drop'))}
  </div>`;
}

/** Edits that the composition of now does not apply. */
function unappliedCard({ visit, open }: Part): string {
  const unapplied = open.draft.composed?.unapplied ?? [];
  if (unapplied.length === 0) return '';
  const lines = linesOf(visit.words, drafts.stateOfDraft(unapplied.map(({ operation }) => operation)));
  return card({
    title: say('Edits that do not apply'),
    text: say('The rules decide instead. An edit applies again if its item returns to the report.'),
    content: rows(lines.map((title) => ({ title }))),
  });
}

function addCard({ open, state }: Part): string {
  const options = open.draft.others
    .slice(0, offeredMax)
    .map(({ id, title }) => ({ value: id, label: title }));
  const isDaily = open.kind === 'daily';
  const other = html`<div class="field">
    <label
      >${say('Address or ID of an item')} <input name="other" maxlength="300" autocomplete="off"
    /></label>
  </div>`;
  if (!isDaily && options.length === 0) return '';
  return card({
    title: say('Add an item'),
    text: isDaily
      ? say('Or choose “Add to the draft” on the page of an item.')
      : say('Only entries of the dailies of this period.'),
    isPadded: true,
    content: form({
      action: `${draftPath(open)}/add`,
      submit: say('Add'),
      label: say('Add an item'),
      fields: html`!${state()}
      !${options.length === 0 ? '' : radios({ name: 'item', label: say('Candidates that the rules did not choose'), options, chosen: [] })}
      !${isDaily ? other : ''}`,
    }),
  });
}

function previewCard({ open, visit }: Part): string {
  const at = draftPath(open);
  const fields = () => formState(visit);
  return card({
    title: say('Private preview'),
    text: say(
      'Shows the page, e-mail and API response of the draft at a private address. The address is valid for one hour and requires no account.',
    ),
    isPadded: true,
    content: html`!${form({ action: `${at}/preview`, submit: say('Create preview address'), fields: fields() })}
    !${form({ action: `${at}/end-previews`, submit: say('Revoke all preview addresses'), fields: fields() })}`,
  });
}
