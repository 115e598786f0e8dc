import { html } from 'ghtml';

import { deskActions } from '../../../newsroom/desk/index.ts';
import type { deskQueue } from '../../../newsroom/desk/index.ts';
import { form, hidden, instant } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { ago } from '../components/moments.ts';
import { badge, buttonLink, card } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';
import { formState } from './desk-frame.ts';
import type { StoryVersions } from './suggestions.ts';
import { suggestionForm } from './suggestions.ts';

type Entry = deskQueue.QueueEntry;
export type QueueKind = deskQueue.QueueKind;
export type EntryAction = 'accept' | 'reject' | 'hold' | 'release' | 'drop';

export const entryPath = (id: string): string => `/desk/entries/${id}`;

export function kindLabel(kind: QueueKind): string {
  return {
    instruction: say('Suspected instructions'),
    failed: say('Failed'),
    held: say('Held'),
    'first-import': say('New sources'),
    grouping: say('Doubtful grouping'),
    contradiction: say('Contradictions'),
    source: say('Unusual sources'),
    report: say('Reported errors'),
    waiting: say('Waiting'),
  }[kind];
}

/** What the rules do without a decision. */
export function ruleOf(kind: QueueKind): string {
  return {
    instruction: say(
      'By rule: the text is removed and the item is not selected, or the entry is not published.',
    ),
    failed: say('By rule: not published until the publisher edits it or an operator retries it.'),
    held: say('Not published until an editor releases it or its embargo ends.'),
    'first-import': say('By rule: the first entries of a new source are published like any others.'),
    grouping: say('By rule: the item stays in its current story.'),
    contradiction: say('By rule: the digest of the story states the contradiction.'),
    source: say('By rule: the source is polled as before.'),
    report: say('Errors reported by readers. If a reader left an e-mail address, reply by e-mail.'),
    waiting: say('By rule: published within seconds. With a language model, up to an hour.'),
  }[kind];
}

/** The decisions about several entries of a kind. */
export const bulkActions: Readonly<Record<QueueKind, readonly (EntryAction | 'dismiss')[]>> = {
  instruction: ['accept', 'hold'],
  failed: ['hold', 'drop'],
  held: ['release', 'drop'],
  'first-import': ['dismiss'],
  grouping: ['dismiss'],
  contradiction: ['dismiss'],
  source: ['dismiss'],
  report: ['dismiss'],
  waiting: ['hold', 'drop'],
};

/** What a dismissal of the entry is about. */
export function subjectOf({ kind, id }: Pick<Entry, 'kind' | 'id'>): deskQueue.Dismissable {
  if (kind === 'report') return { kind: 'report', id };
  if (kind === 'contradiction') return { kind: 'story', id };
  return kind === 'source' || kind === 'first-import' ? { kind: 'source', id } : { kind: 'entry', id };
}

/** Where the desk shows the subject of the entry; null where it has no page. */
function pageOf({ kind, id, isPublished }: Entry): string | null {
  if (kind === 'report') return null;
  if (kind === 'contradiction') return `/desk/stories/${id}`;
  if (kind === 'source' || kind === 'first-import') return `/desk/sources/${id}`;
  return isPublished ? `/desk/items/${id}` : entryPath(id);
}

export function entryCard(
  visit: DeskVisit,
  entry: Entry,
  version = '',
  stories: StoryVersions = new Map(),
): string {
  const { words, visitor, tools } = visit;
  const now = tools.desk.clock.now();
  const { kind, id, title, sourceName, url, evidence } = entry;
  const isOfSource = kind === 'source' || kind === 'first-import';
  const page = pageOf(entry);
  const state =
    isOfSource || kind === 'report' || kind === 'contradiction'
      ? ''
      : badge(
          entry.isPublished ? 'good' : 'off',
          entry.isPublished ? words.queue.published : words.queue.notPublished,
        );
  return html`<div data-entry="${kind} ${id}">
    !${card({
      title: title === '' ? (url ?? say('Page not specified')) : title,
      action: html`!${pick(visit, entry, version)}!${state}
      !${page === null ? '' : html`<span data-key="e">!${buttonLink({ href: page, label: words.buttons.open, small: true })}</span>`}`,
      isPadded: true,
      content: html`<p>
          !${sourceName === null ? '' : html`${sourceName}, `}!${ago(entry.at, now, visitor.language)}.
          !${originalLink(visit, entry)}
        </p>
        !${evidence.filter((text) => text !== title && text !== '').map((text) => html`<blockquote>${text}</blockquote>`)}
        !${groupingOf(visit, entry)} !${alertOf(entry)}
        !${entry.until === null ? '' : html`<p>${words.queue.until} !${instant(entry.until)}</p>`}
        !${actionsOf(visit, entry, version, stories)}`,
    })}
  </div>`;
}

function originalLink({ words }: DeskVisit, { kind, url }: Entry): string {
  if (url === null) return '';
  if (kind === 'report') return html`<a href="${url}">${words.item.publicPage}</a>`;
  return html`<a href="${url}" rel="nofollow noreferrer">${words.item.original}</a>`;
}

/** The check box of a decision about several entries. */
function pick({ may }: DeskVisit, { kind, id, title }: Entry, version: string): string {
  if (!may(deskActions.queue.decide, 'queue', id) || bulkActions[kind].length === 0) return '';
  return html`<label class="pick"
    ><input
      type="checkbox"
      form="bulk"
      name="entries"
      value="${id}:${version}"
      aria-label="${say('Select {title}', { title })}"
  /></label>`;
}

function groupingOf({ words }: DeskVisit, { grouping }: Entry): string {
  if (grouping === null) return '';
  const { joined, otherId, otherTitle, likelihood } = grouping;
  return html`<p>
    ${joined ? words.queue.joined : words.queue.opened}
    <a href="/desk/stories/${otherId}">${otherTitle}</a>,
    ${words.queue.likelihood(Math.round(likelihood * 100))}
  </p>`;
}

function alertOf({ id, alert }: Entry): string {
  if (alert === null) return '';
  const { kind, entries, usual, held, selected } = alert;
  if (kind === 'first-import')
    return html`<p>
      ${say('{count} entries in the first import, {selected} selected, {held} held.', { count: entries ?? 0, selected: selected ?? 0, held: held ?? 0 })}
      !${(held ?? 0) === 0 ? '' : html`<a href="/desk?kind=held&#38;source=${id}">${say('Show the held entries')}</a>`}
    </p>`;
  if (kind === 'busy')
    return html`<p>
      ${say('{count} entries in one day, usually {usual}.', { count: entries ?? 0, usual: (usual ?? 0).toFixed(1) })}
    </p>`;
  const said = {
    silent: say('No new entries for much longer than usual.'),
    failing: say('Polls have been failing for much longer than usual.'),
    suspended: say('Suspended: the list was not found for two weeks.'),
    stopped: say('Stopped: the publisher removed the list.'),
  }[kind];
  return html`<p>${said}</p>`;
}

/** Without the permission, the evidence alone. */
function actionsOf(visit: DeskVisit, entry: Entry, version: string, stories: StoryVersions): string {
  const { kind, id, isPublished } = entry;
  if (!visit.may(deskActions.queue.decide, 'queue', id)) return '';
  if (kind === 'instruction')
    return html`<div class="cluster">
      !${simpleForm(visit, entry, 'accept', version)} !${explainedForm(visit, entry, 'reject', version)}
      !${isPublished ? '' : explainedForm(visit, entry, 'hold', version)}
    </div>`;
  if (kind === 'held')
    return html`<div class="cluster">
      !${simpleForm(visit, entry, 'release', version)} !${explainedForm(visit, entry, 'drop', version)}
    </div>`;
  if (kind === 'failed' || kind === 'waiting')
    return html`<div class="cluster">
      !${explainedForm(visit, entry, 'hold', version)} !${explainedForm(visit, entry, 'drop', version)}
    </div>`;
  return html`<div class="cluster">
    !${suggestionForm(visit, entry, stories, 'queue')} !${groupingLink(entry)} !${dismissForm(visit, entry)}
  </div>`;
}

/** Where the page of a decision returns to. */
interface FormOf {
  readonly kind: QueueKind | null;
  readonly id: string;
}

const place = ({ kind }: FormOf): string => (kind === null ? hidden('from', 'entry') : hidden('kind', kind));

export function simpleForm(visit: DeskVisit, of: FormOf, action: EntryAction, version: string): string {
  return form({
    action: `${entryPath(of.id)}/${action}`,
    submit: visit.words.buttons[action],
    fields: html`!${formState(visit, version)}!${place(of)}`,
    small: true,
  });
}

/** With a reason, and an embargo for a held entry. */
export function explainedForm(visit: DeskVisit, of: FormOf, action: EntryAction, version: string): string {
  const { words } = visit;
  const isDangerous = action === 'reject' || action === 'drop';
  return html`<details class="asked">
    <summary class="btn sm ${isDangerous ? 'danger' : ''}">${words.buttons[action]}…</summary>
    !${form({
      action: `${entryPath(of.id)}/${action}`,
      submit: words.buttons[action],
      fields: html`!${formState(visit, version)}!${place(of)}!${action === 'hold' ? embargoField(visit) : ''}
        <label
          >${action === 'reject' ? words.fields.publicReason : words.fields.privateReason}
          <input name="reason" required maxlength="500" autocomplete="off"
        /></label>`,
      dangerous: isDangerous,
    })}
  </details>`;
}

export function embargoField({ words }: DeskVisit): string {
  return html`<label>${words.fields.until} <input type="datetime-local" name="until" /></label>
    <p class="hint">${words.fields.untilHint}</p>`;
}

function dismissForm(visit: DeskVisit, { kind, id }: Entry): string {
  const label = kind === 'report' ? say('Close') : visit.words.buttons.dismiss;
  return form({
    action: `/desk/queue/${kind}/${id}/dismiss`,
    submit: label,
    fields: formState(visit),
    small: true,
  });
}

/** To split or merge with another title or reason. */
function groupingLink({ id, grouping }: Entry): string {
  if (grouping === null || grouping.storyId === null) return '';
  const { joined, storyId, otherId } = grouping;
  const href = `/desk/stories/${storyId}?${joined ? `split=${id}` : `with=${otherId}`}`;
  return buttonLink({ href, label: say('Use another reason…'), small: true });
}
