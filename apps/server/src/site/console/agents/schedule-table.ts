import { html } from 'ghtml';

import type { Schedule } from '../../../agents/schedules/index.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { temporalInstant } from '../../../foundation/instant.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
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
      {
        label: words.agent,
        place: 'also',
        cell: ({ agentId, agentName, stopped }) =>
          stopped?.reason === 'agent_deleted'
            ? html`${agentName}`
            : html`<a href="${platformPath(org, 'agents', agentId, 'schedules')}">${agentName}</a>`,
      },
      { label: words.when, place: 'also', cell: (one) => html`${timeOf(one, words)}` },
      {
        label: words.delivery,
        place: 'low',
        cell: ({ projectId }) => html`${projectId === null ? words.mail : words.file}`,
      },
      { label: words.state, place: 'state', cell: (one) => stateOf(one, words) },
      { label: words.last, place: 'also', cell: (one) => lastRunOf(one, words, given) },
    ],
    nameOf: ({ name }) => name,
    menu: (one) =>
      given.mayEnd(one)
        ? [
            {
              label: words.remove,
              icon: 'trash',
              href: platformPath(org, 'schedules', one.id, 'remove'),
              isDangerous: true,
            },
          ]
        : [],
    empty: { icon: 'clock', title: words.empty, text: words.emptyText },
  });
}

function timeOf({ repeats, weekday, hour, timeZone }: Schedule, words: ScheduleWords): string {
  const repetition =
    repeats === 'weekly' ? words.weekly(words.days[(weekday ?? 1) - 1] ?? '') : words[repeats];
  return `${repetition}, ${String(hour).padStart(2, '0')}:00 (${timeZone})`;
}

function stateOf({ stopped, nextRunAt, timeZone }: Schedule, words: ScheduleWords): string {
  if (stopped !== null) return html`!${badge('bad', words.stopped)} ${words.problems[stopped.reason]}`;
  const next =
    nextRunAt === null
      ? ''
      : temporalInstant(nextRunAt).toZonedDateTimeISO(timeZone).toPlainDateTime().toString().slice(0, 16);
  return html`!${badge('good', words.running)} ${words.next}: ${next.replace('T', ' ')}`;
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
  return html`${words.runs[state]}, !${ago(dueAt, now, language)}. ${reason} !${link}`;
}
