import { refreshSecondsOf } from '../freshness.ts';
import type { Freshness } from '../freshness.ts';
import type { AgentAddress } from './agent-schema.ts';

interface Entry {
  readonly title: string;
  readonly purpose: string;
  readonly path: string;
  readonly freshness: Freshness;
  readonly ofStories?: boolean;
}

/** The Markdown documents for agents: purpose and address. Routes, the guide and llms.txt use this list. */
const entries: readonly Entry[] = [
  {
    title: 'Guide',
    purpose: 'How to use these addresses.',
    path: '/agent/index.md',
    freshness: 'five-minutes',
  },
  {
    title: 'Latest',
    purpose: 'What happened recently: the newest selected items.',
    path: '/agent/latest.md',
    freshness: 'minute',
  },
  {
    title: 'Search',
    purpose: 'Items of the last 7 days in which every word of q occurs.',
    path: '/agent/search.md?q={q}',
    freshness: 'minute',
  },
  {
    title: 'Hot topics',
    purpose: 'The Top 10: topics with the most independent sources.',
    path: '/agent/hot.md',
    freshness: 'minute',
  },
  {
    title: 'Story',
    purpose: 'One event with its digest and reports; the other documents contain the ids.',
    path: '/agent/stories/{publicId}.md',
    freshness: 'minute',
    ofStories: true,
  },
  {
    title: 'Daily report',
    purpose: 'The newest daily report.',
    path: '/agent/daily.md',
    freshness: 'minute',
  },
  {
    title: 'Daily report of a date',
    purpose: 'The daily report of one Asia/Shanghai date, YYYY-MM-DD.',
    path: '/agent/daily/{date}.md',
    freshness: 'five-minutes',
  },
  {
    title: 'Weekly report',
    purpose: 'The newest weekly report.',
    path: '/agent/weekly.md',
    freshness: 'five-minutes',
  },
  {
    title: 'Weekly report of a week',
    purpose: 'The weekly report of one ISO week, YYYY-Www.',
    path: '/agent/weekly/{week}.md',
    freshness: 'five-minutes',
  },
  {
    title: 'Monthly report',
    purpose: 'The newest monthly report.',
    path: '/agent/monthly.md',
    freshness: 'five-minutes',
  },
  {
    title: 'Monthly report of a month',
    purpose: 'The monthly report of one month, YYYY-MM.',
    path: '/agent/monthly/{month}.md',
    freshness: 'five-minutes',
  },
];

export interface AgentGuideDeps {
  readonly baseUrl: string;
  /** False omits story addresses. */
  readonly storyLayer: boolean;
}

export function agentAddresses({ baseUrl, storyLayer }: AgentGuideDeps): AgentAddress[] {
  const offered = entries.filter((entry) => storyLayer || entry.ofStories !== true);
  return offered.map(({ title, purpose, path, freshness }) => ({
    title,
    purpose,
    href: `${baseUrl}${path}`,
    refreshSeconds: refreshSecondsOf(freshness),
  }));
}
