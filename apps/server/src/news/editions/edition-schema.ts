import type { TString } from 'typebox';
import { Type } from 'typebox';

import { readerLanguages } from '../../foundation/reader-language.ts';
import {
  IdSchema,
  ItemLinksSchema,
  LanguageSchema,
  PublishedAtSchema,
  SourceSchema,
  StoryLinkSchema,
} from '../items/item-schema.ts';
import { asOfField } from '../moments/as-of-schema.ts';
import { InstantSchema, SchemaVersion } from '../nullable-schema.ts';

const flashFields = {
  id: IdSchema,
  title: Type.String(),
  language: LanguageSchema,
  source: SourceSchema,
  links: Type.Object({ ...ItemLinksSchema.properties, story: StoryLinkSchema }),
  publishedAt: PublishedAtSchema,
};
const FlashSchema = Type.Object(flashFields, { title: 'ReportFlash', description: 'A one-line entry.' });
const EditionItemSchema = Type.Object({ ...flashFields, summary: Type.String() }, { title: 'ReportItem' });
const SectionSchema = Type.Object(
  { key: Type.String(), label: Type.String(), items: Type.Array(EditionItemSchema) },
  { title: 'ReportSection' },
);
const CorrectionSchema = Type.Object({ at: InstantSchema, note: Type.String() }, { title: 'Correction' });
const LinksSchema = Type.Object({
  report: Type.String({ format: 'uri', description: 'URL of the web page.' }),
});

export const DateSchema = Type.String({
  format: 'date',
  description: 'Asia/Shanghai calendar date, YYYY-MM-DD.',
});
export const WeekSchema = Type.String({
  pattern: '^\\d{4}-W\\d{2}$',
  description: 'ISO week, YYYY-Www.',
});
export const MonthSchema = Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'Month, YYYY-MM.' });

const PeriodStart = Type.String({ format: 'date', description: 'First day of the period.' });
const PeriodEnd = Type.String({ format: 'date', description: 'Last day, inclusive.' });
const RevisionSchema = Type.Integer({
  minimum: 1,
  description: 'Incremented when a correction or withdrawal changes the report.',
});

const WordsLanguageSchema = Type.Enum([...readerLanguages], {
  description: 'Language of headline and overview.',
});
const HeadlineLanguageSchema = Type.Enum([...readerLanguages], { description: 'Language of the headline.' });

const UnselectedCountSchema = Type.Integer({
  minimum: 0,
  description:
    'Number of entries that the editorial rules did not select. They are added to reports with fewer than five selected stories.',
});

const EditorsNotesSchema = Type.Array(Type.String(), {
  description: 'Notes by the editors on this report, such as a statement that a text could not be verified.',
});

const DailyEditionSchema = Type.Object(
  {
    date: DateSchema,
    generatedAt: InstantSchema,
    revision: RevisionSchema,
    windowStart: InstantSchema,
    windowEnd: InstantSchema,
    headline: Type.String(),
    overview: Type.String(),
    language: WordsLanguageSchema,
    links: LinksSchema,
    sections: Type.Array(SectionSchema),
    flashes: Type.Array(FlashSchema),
    unselectedCount: UnselectedCountSchema,
    editorsNotes: EditorsNotesSchema,
    corrections: Type.Array(CorrectionSchema),
  },
  { title: 'DailyReport' },
);

function periodEdition<Name extends string>(name: Name, label: TString, title: string) {
  return Type.Object(
    {
      ...({ [name]: label } as Record<Name, TString>),
      periodStart: PeriodStart,
      periodEnd: PeriodEnd,
      generatedAt: InstantSchema,
      revision: RevisionSchema,
      headline: Type.String(),
      overview: Type.String(),
      language: WordsLanguageSchema,
      links: LinksSchema,
      sections: Type.Array(SectionSchema),
      unselectedCount: UnselectedCountSchema,
      editorsNotes: EditorsNotesSchema,
      corrections: Type.Array(CorrectionSchema),
    },
    { title },
  );
}

function periodEntry<Name extends string>(name: Name, label: TString, title: string) {
  return Type.Object(
    {
      ...({ [name]: label } as Record<Name, TString>),
      periodStart: PeriodStart,
      periodEnd: PeriodEnd,
      generatedAt: InstantSchema,
      headline: Type.String(),
      language: HeadlineLanguageSchema,
      links: LinksSchema,
    },
    { title },
  );
}

const DailyEntrySchema = Type.Object(
  {
    date: DateSchema,
    generatedAt: InstantSchema,
    headline: Type.String(),
    language: HeadlineLanguageSchema,
    links: LinksSchema,
  },
  { title: 'DailyIndexEntry' },
);
const count = Type.Integer({ minimum: 0 });
const head = { schemaVersion: SchemaVersion };

export const DailyResponseSchema = Type.Object(
  { ...head, report: DailyEditionSchema, ...asOfField },
  { title: 'DailyResponse' },
);
export const WeeklyResponseSchema = Type.Object(
  { ...head, report: periodEdition('week', WeekSchema, 'WeeklyReport'), ...asOfField },
  { title: 'WeeklyResponse' },
);
export const MonthlyResponseSchema = Type.Object(
  { ...head, report: periodEdition('month', MonthSchema, 'MonthlyReport'), ...asOfField },
  { title: 'MonthlyResponse' },
);
export const DailiesResponseSchema = Type.Object(
  { ...head, count, reports: Type.Array(DailyEntrySchema) },
  { title: 'DailiesResponse', description: 'Newest first.' },
);
export const WeekliesResponseSchema = Type.Object(
  { ...head, count, reports: Type.Array(periodEntry('week', WeekSchema, 'WeeklyIndexEntry')) },
  { title: 'WeekliesResponse', description: 'Newest first.' },
);
export const MonthliesResponseSchema = Type.Object(
  { ...head, count, reports: Type.Array(periodEntry('month', MonthSchema, 'MonthlyIndexEntry')) },
  { title: 'MonthliesResponse', description: 'Newest first.' },
);
