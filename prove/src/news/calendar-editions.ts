import type { SuiteContext } from '@daybook/evidence';

import { epochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { createAddresses } from '../../../apps/server/src/news/addresses.ts';
import type { EditionDefinition } from '../../../apps/server/src/news/editions/edition-kinds.ts';
import {
  dailyEditions,
  monthlyEditions,
  weeklyEditions,
} from '../../../apps/server/src/news/editions/edition-kinds.ts';
import { presentEntry } from '../../../apps/server/src/news/editions/edition-presenter.ts';
import type { Period } from '../calendar-oracle.ts';
import { requestOnce } from './http-question.ts';
import { baseUrl, setNewsStage } from './news-stage.ts';
import { issue } from './news-world.ts';

interface EditionCheck {
  readonly definition: EditionDefinition;
  readonly periods: readonly Period[];
}

/** Editions of real periods, issued through the record and read back over HTTP: the index entry and the dated address. */
export async function countEditions(
  context: SuiteContext,
  calendars: {
    readonly dailies: readonly Period[];
    readonly weeklies: readonly Period[];
    readonly monthlies: readonly Period[];
  },
): Promise<void> {
  const checks: readonly EditionCheck[] = [
    { definition: dailyEditions, periods: calendars.dailies },
    { definition: weeklyEditions, periods: calendars.weeklies },
    { definition: monthlyEditions, periods: calendars.monthlies },
  ];
  const entries = checks.reduce((sum, check) => sum + wrongEntries(check), 0);
  context.figure({
    name: 'index entries with a wrong label, day or address',
    value: entries,
    unit: 'entries',
    goal: { exactly: 0 },
  });
  const { read, wrong } = await readBack(context, checks);
  context.figure({ name: 'editions issued and read back by their address', value: read, unit: 'editions' });
  context.figure({
    name: 'editions not found, or found with a wrong label, day or window',
    value: wrong,
    unit: 'editions',
    goal: { exactly: 0 },
  });
}

function wrongEntries({ definition, periods }: EditionCheck): number {
  const addresses = createAddresses(baseUrl);
  return periods.filter((period) => {
    const entry = {
      kind: definition.kind,
      period: period.label,
      periodStart: period.first,
      periodEnd: period.last,
      generatedAt: epochMicroseconds(1_794_700_800_000_000n),
      headline: 'What it brought',
      overview: '',
      language: 'en' as const,
      versions: [],
    };
    return (
      JSON.stringify(presentEntry(definition, entry, 'en', addresses)) !==
      JSON.stringify(entryOf(definition, period))
    );
  }).length;
}

/** As the decisions on payloads spell it. */
function entryOf({ kind, label }: EditionDefinition, period: Period): object {
  return {
    [label]: period.label,
    ...(kind === 'daily' ? {} : { periodStart: period.first, periodEnd: period.last }),
    generatedAt: '2026-11-15T00:00:00.000Z',
    headline: 'What it brought',
    language: 'en',
    links: { report: `${baseUrl}/${kind}/${period.label}` },
  };
}

async function readBack(
  context: SuiteContext,
  checks: readonly EditionCheck[],
): Promise<{ readonly read: number; readonly wrong: number }> {
  const every = context.quick ? 40 : 1;
  const stage = await setNewsStage(context.root);
  let [read, wrong] = [0, 0];
  try {
    const itemId = await stage.factory.publish();
    const port = await stage.startApi({ DAYBOOK_RATE_PER_MINUTE: '1000000' });
    for (const { definition, periods } of checks) {
      for (const period of periods.filter((_, index) => index % every === 0)) {
        await issue(stage.factory, definition.kind, period.label, [itemId]);
        read += 1;
        if (!(await isRight(port, definition, period))) {
          wrong += 1;
          context.note(`${definition.kind} ${period.label} is not as it should be`);
        }
      }
    }
  } finally {
    await stage.remove();
  }
  return { read, wrong };
}

async function isRight(
  port: number,
  { kind, plural, label }: EditionDefinition,
  period: Period,
): Promise<boolean> {
  const answer = await requestOnce(port, `/api/v1/${plural}/${period.label}`);
  if (answer.status !== 200) return false;
  const { report } = JSON.parse(answer.text) as {
    report: Record<string, unknown> & { links: { report: string } };
  };
  const days =
    kind === 'daily'
      ? report['windowEnd'] === `${period.label}T00:00:00.000Z` &&
        report['windowStart'] === `${period.dayBefore}T00:00:00.000Z`
      : report['periodStart'] === period.first && report['periodEnd'] === period.last;
  return (
    days && report[label] === period.label && report.links.report === `${baseUrl}/${kind}/${period.label}`
  );
}
