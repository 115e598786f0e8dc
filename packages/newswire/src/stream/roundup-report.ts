import { roundupCopy } from '../grammar/roundup-copy.ts';
import { fill } from '../grammar/template.ts';
import { dayPath, isoMicros } from '../instant.ts';
import { timing } from '../plan/report-plan.ts';
import type { Random } from '../random.ts';
import type { Pair, Report } from '../report.ts';
import type { Roster } from '../roster/roster.ts';
import { scoreOf, selection } from './story-report.ts';

/** A story as a roundup names it. */
export interface RecentStory {
  readonly key: string;
  readonly brief: Pair;
  readonly subject: string;
}

/** One item that mentions three stories which were reported shortly before. */
export function roundupReport(
  roster: Roster,
  random: Random,
  found: { readonly key: string; readonly discovered: number },
  recent: readonly RecentStory[],
): Report {
  const [one, two, three] = random.shuffled(recent);
  if (one === undefined || two === undefined || three === undefined)
    throw new RangeError('too few stories to round up');
  const outlet = random.pick(roster.press[random.chance(0.45) ? 'zh' : 'en']);
  const { language } = outlet;
  const scene = { slots: { one: one.brief, two: two.brief, three: three.brief }, turn: 0 };
  const shape = random.bits();
  const plan = { role: 'roundup' as const, outlet, translated: false, shape };
  const title = fill(random.pick(roundupCopy[language].titles), scene, language, random);
  const summary = fill(random.pick(roundupCopy[language].summaries), scene, language, random);
  const { published } = timing(random, found.discovered - 3_000_000_000);
  return {
    key: found.key,
    outlet,
    url: `https://${outlet.host}/${dayPath(found.discovered)}/roundup-${found.key}`,
    language,
    title,
    originalTitle: null,
    summary,
    body: () =>
      [summary, ...[one, two, three].map(({ brief }) => `- ${brief[language === 'en' ? 0 : 1]}`)].join(
        '\n\n',
      ),
    category: 'industry',
    publishedAt: published === null ? null : isoMicros(published),
    discoveredAt: isoMicros(found.discovered),
    score: scoreOf(plan, 3),
    role: 'roundup',
    storyKey: null,
    storylineKey: null,
    groupKey: `${found.key}-g`,
    facts: { kind: 'roundup', subject: one.subject, product: null, person: null, figures: [] },
    representative: true,
    ...selection(plan, 'roundup', true),
    mentions: [one.key, two.key, three.key],
  };
}
