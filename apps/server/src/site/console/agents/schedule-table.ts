import { html } from 'ghtml';

import type { Schedule } from '../../../agents/schedules/index.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { temporalInstant } from '../../../foundation/instant.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import type { Column, MenuItem } from '../components/data-table.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge } from '../components/parts.ts';
import { platformPath } from '../platform/platform-frame.ts';
import type { ScheduleWords } from './schedule-words.ts';
import { scheduleWords } from './schedule-words.ts';

interface Given {
  readonly org: string;
  readonly language: InterfaceLanguage;
  readonly now: EpochMicroseconds;
  readonly mayEnd: (schedule: Schedule) => boolean;
  readonly mayRun: (schedule: Schedule) => boolean;
  /** Whether all of them are of one agent, which the page names. */
  readonly isOfOneAgent: boolean;
}

/** The schedules of a member, with the last run of each and why it stopped. */
export function scheduleTable(schedules: readonly Schedule[], given: Given): string {
  const { org, language } = given;
  const words = scheduleWords(language);
  return dataTable(language, {
    caption: words.schedules,
    rows: schedules,
    columns: [
      {
        label: words.name,
        place: 'main',
        cell: ({ name, question }) => html`<span class="name">${name}</span><br />${question}`,
      },
      ...(given.isOfOneAgent ? [] : [agentColumn(org, words)]),
      { label: words.when, place: 'also', cell: (one) => html`${timeOf(one, words)}` },
      {
        label: words.delivery,
        place: 'low',
        cell: ({ projectId }) => html`${projectId === null ? words.mail : words.file}`,
      },
      { label: words.state, place: 'state', cell: ({ stopped }) => stateOf(stopped !== null, words) },
      { label: words.next, place: 'also', cell: (one) => nextRunOf(one, words) },
      { label: words.last, place: 'also', cell: (one) => lastRunOf(one, words, given) },
    ],
    nameOf: ({ name }) => name,
    menu: (one) => [
      ...(given.mayRun(one) && one.stopped === null ? [runItem(org, one, words)] : []),
      ...(given.mayEnd(one) ? [endItem(org, one, words)] : []),
    ],
    empty: { icon: 'clock', title: words.empty, text: words.emptyText },
  });
}

function timeOf({ repeats, weekday, hour, timeZone }: Schedule, words: ScheduleWords): string {
  const repetition =
    repeats === 'weekly' ? words.weekly(words.days[(weekday ?? 1) - 1] ?? '') : words[repeats];
  return words.at(repetition, `${String(hour).padStart(2, '0')}:00`, timeZone);
}

function runItem(org: string, { id }: Schedule, words: ScheduleWords): MenuItem {
  return { label: words.runNow, icon: 'clock', action: platformPath(org, 'schedules', id, 'run') };
}

function endItem(org: string, { id }: Schedule, words: ScheduleWords): MenuItem {
  return {
    label: words.remove,
    icon: 'trash',
    href: platformPath(org, 'schedules', id, 'remove'),
    isDangerous: true,
  };
}

function agentColumn(org: string, words: ScheduleWords): Column<Schedule> {
  return {
    label: words.agent,
    place: 'also',
    cell: ({ agentId, agentName, stopped }) =>
      stopped?.reason === 'agent_deleted'
        ? html`${agentName}`
        : html`<a href="${platformPath(org, 'agents', agentId, 'schedules')}">${agentName}</a>`,
  };
}

function stateOf(isStopped: boolean, words: ScheduleWords): string {
  return isStopped ? badge('bad', words.stopped) : badge('good', words.running);
}

/** In the time zone of the schedule; of a stopped one, why it stopped. */
function nextRunOf({ stopped, nextRunAt, timeZone }: Schedule, words: ScheduleWords): string {
  if (stopped !== null) return html`${words.problems[stopped.reason]}`;
  if (nextRunAt === null) return '';
  const at = temporalInstant(nextRunAt).toZonedDateTimeISO(timeZone).toPlainDateTime().toString();
  return html`<span class="unbroken">${at.slice(0, 16).replace('T', ' ')}</span>`;
}

function lastRunOf(
  { lastRun, agentId, stopped }: Schedule,
  words: ScheduleWords,
  { org, language, now }: Given,
): string {
  if (lastRun === null) return html`${words.never}`;
  const { state, problem, answerId, dueAt } = lastRun;
  const link =
    answerId === null || stopped?.reason === 'agent_deleted'
      ? ''
      : html`<a href="${platformPath(org, 'agents', agentId, 'answers', answerId)}">${words.openAnswer}</a>`;
  const reason = problem === null ? '' : words.problems[problem];
  return html`!${words.run(html`${words.runs[state]}`, ago(dueAt, now, language))} ${reason} !${link}`;
}
