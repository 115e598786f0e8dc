import { epochMicroseconds } from '../../foundation/instant.ts';
import { createAddresses } from '../addresses.ts';
import { itemExample } from '../items/item-schema.ts';
import type { EditionDefinition } from './edition-kinds.ts';
import type { Edition } from './edition-presenter.ts';
import { presentEntry, presentEdition } from './edition-presenter.ts';

const periods = {
  daily: { period: '2026-11-14', first: '2026-11-14', last: '2026-11-14' },
  weekly: { period: '2026-W46', first: '2026-11-09', last: '2026-11-15' },
  monthly: { period: '2026-10', first: '2026-10-01', last: '2026-10-31' },
} as const;
const headline = 'A planning model for laptops';
const addresses = createAddresses('https://daybook.example');

export function editionExample(definition: EditionDefinition): unknown {
  const { period, first, last } = periods[definition.kind];
  const { id, title, language, summary, source, links, publishedAt } = itemExample;
  const edition: Edition = {
    period,
    periodStart: first,
    periodEnd: last,
    windowStart: '2026-11-13T00:00:00.000Z',
    windowEnd: '2026-11-14T00:00:00.000Z',
    generatedAt: '2026-11-14T00:00:04.210Z',
    revision: 1,
    headline,
    overview: 'Open weights came first, prices second.',
    language: 'en',
    links: { report: addresses.edition({ kind: definition.kind, period }) },
    sections: [
      {
        key: 'ai-models',
        label: 'Models',
        items: [{ id, title, language, summary, source, links, publishedAt }],
      },
    ],
    flashes: [],
    unselectedCount: 0,
    editorsNotes: [],
    corrections: [],
  };
  return { schemaVersion: 1, report: presentEdition(definition, edition) };
}

export function indexExample(definition: EditionDefinition): unknown {
  const { period, first, last } = periods[definition.kind];
  const entry = {
    kind: definition.kind,
    period,
    periodStart: first,
    periodEnd: last,
    generatedAt: epochMicroseconds(1_794_614_404_210_000n),
    headline,
    overview: '',
    language: 'en' as const,
    versions: [],
  };
  return { schemaVersion: 1, count: 1, reports: [presentEntry(definition, entry, 'en', addresses)] };
}
