import { html } from 'ghtml';

import { callers } from '../../../access/index.ts';
import { requireAdmission } from '../../../foundation/limits/strict-admission.ts';
import type { deskSources } from '../../../newsroom/desk/index.ts';
import { notice } from '../../shell/form-controls.ts';
import { say, sayKnown } from '../../shell/words/say.ts';
import { badge, card, rows } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';

export const sourcePath = (id: string): string => `/desk/sources/${id}`;

/** Entries of a fetched list that the page shows. */
const shownMax = 10;

export interface Fetched {
  readonly url: string;
  readonly preview: Awaited<ReturnType<deskSources.SourceDesk['preview']>>;
}

/** The first entries of a list, or why it could not be read. */
export function fetchedCard({ url, preview }: Fetched): string {
  if (!preview.ok)
    return notice(
      'bad',
      html`${say('{url} cannot be read as a feed: {reason}', { url, reason: preview.reason })}`,
    );
  const { feed, entries } = preview.value;
  return card({
    title: feed.title === '' || feed.title === null ? url : feed.title,
    text: say('{count} entries in the list. The first ones:', { count: entries.length }),
    content: rows(
      entries.slice(0, shownMax).map(({ entry, verdict }) => ({
        title: entry.title === '' ? (entry.link ?? '–') : entry.title,
        text: html`${entry.published.raw ?? say('no date')}`,
        end: badge(verdict === 'would be stored' ? 'good' : 'off', verdictWords(verdict)),
      })),
    ),
  });
}

function verdictWords(verdict: 'would be stored' | 'known' | 'left out of the first import'): string {
  if (verdict === 'would be stored') return say('would be stored');
  return verdict === 'known' ? say('already stored') : say('left out of the first import');
}

/** Before each request to a publisher: a person can send a few in ten minutes. */
export function requireFetch({ tools, visitor }: DeskVisit): Promise<void> {
  return requireAdmission(
    tools.desk.fetchLimiter,
    visitor.account.id,
    say('You requested too many addresses. Try again in a few minutes.'),
  );
}

export function healthBadge({ tools }: DeskVisit, source: deskSources.Source): string {
  const health = tools.desk.sources.health(source);
  return badge(
    health === 'well' ? 'good' : health === 'failing' || health === 'silent' ? 'bad' : 'off',
    healthText(health),
  );
}

export function healthText(health: string): string {
  if (health === 'well') return say('healthy');
  return health === 'not polled yet' ? say('not polled yet') : sayKnown(health);
}

/** The problem of a source in words; empty without one. */
export function sourceProblem({ tools }: DeskVisit, source: deskSources.Source): string {
  const { failures, outcome } = source.health;
  const health = tools.desk.sources.health(source);
  const why = source.stateReason ?? '';
  if (health === 'failing')
    return say('Failed polls in a row: {count}. Latest error: {outcome}', {
      count: failures,
      outcome: outcome ?? '–',
    });
  if (health === 'silent') return say('No new entries for much longer than usual.');
  if (health === 'paused') return say('Paused: {why}', { why });
  if (health === 'suspended') return say('Suspended: the list was not found for two weeks. {why}', { why });
  return health === 'stopped' ? say('Stopped: the publisher removed the list. {why}', { why }) : '';
}

export function weekly(habits: deskSources.SourceHabits | undefined): string {
  if (habits === undefined) return '–';
  const { thisWeek, usualWeek } = habits;
  return usualWeek === null ? String(thisWeek) : `${thisWeek} (${usualWeek.toFixed(usualWeek < 10 ? 1 : 0)})`;
}

export function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

export const tierOptions = () => [
  { value: '1', label: say('1: an organization’s own channel') },
  { value: '2', label: say('2: established press') },
  { value: '3', label: say('3: specialized press') },
  { value: '4', label: say('4: aggregator or community') },
];

export const holdsValues = ['none', 'first-import', 'all'] as const;

export const holdsOptions = () => [
  { value: 'none', label: say('No, publish by rule') },
  { value: 'first-import', label: say('Entries of the first import') },
  { value: 'all', label: say('All new entries') },
];

/** The effect of another tier on the last week. */
export interface TierEffect {
  readonly tier: deskSources.Source['tier'];
  readonly judged: readonly deskSources.JudgedTwice[];
}

/** What the rules would have selected in the last week with the other tier. */
export function effectOf({ tier, judged }: TierEffect): string {
  const changed = judged.filter(({ selectable }) => selectable.before !== selectable.after);
  const count = (when: 'before' | 'after') => judged.filter(({ selectable }) => selectable[when]).length;
  return html`<p>
      ${say('Of {count} items of the last week, the rules could select {before} now and {after} with tier {tier}.', { count: judged.length, before: count('before'), after: count('after'), tier: String(tier) })}
    </p>
    !${rows(
      changed.map(({ id, title, selectable, score }) => ({
        title,
        href: `/desk/items/${id}`,
        text: html`${say('Score {before}, then {after}', { before: score.before, after: score.after })}`,
        end: selectable.after ? badge('good', say('selectable')) : badge('off', say('not selectable')),
      })),
    )}`;
}

/** Every change of a source has a reason. */
export function reasonField(label: string, value = ''): string {
  return html`<div class="field">
    <label
      >${label} <input name="reason" required maxlength="500" autocomplete="off" value="${value}"
    /></label>
  </div>`;
}

/** Hidden where this process has no registry of sources. */
export function registryOf({ editor }: DeskVisit): NonNullable<typeof editor.sources> {
  if (editor.sources === null) throw callers.notFoundOrHidden();
  return editor.sources;
}
