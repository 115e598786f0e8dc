import type { TObject, TString } from 'typebox';

import { parseCalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { parseCalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import { parseIsoWeek } from '../../foundation/calendar/iso-week.ts';
import type { editions } from '../../record/index.ts';
import type { Freshness } from '../freshness.ts';
import {
  DailiesResponseSchema,
  DailyResponseSchema,
  DateSchema,
  MonthSchema,
  MonthliesResponseSchema,
  MonthlyResponseSchema,
  WeekSchema,
  WeekliesResponseSchema,
  WeeklyResponseSchema,
} from './edition-schema.ts';

/** The differences between dailies, weeklies and monthlies. */
export interface EditionDefinition {
  readonly kind: editions.EditionKind;
  /** In paths: `/dailies`. */
  readonly plural: string;
  /** The name of its label, in paths and bodies. */
  readonly label: 'date' | 'week' | 'month';
  readonly labelSchema: TString;
  readonly isLabel: (text: string) => boolean;
  readonly limits: { readonly max: number; readonly default: number };
  readonly indexFreshness: Freshness;
  readonly latestFreshness: Freshness;
  readonly editionSchema: TObject;
  readonly indexSchema: TObject;
}

export const dailyEditions: EditionDefinition = {
  kind: 'daily',
  plural: 'dailies',
  label: 'date',
  labelSchema: DateSchema,
  isLabel: (text) => parseCalendarDate(text).ok,
  limits: { max: 180, default: 30 },
  indexFreshness: 'minute',
  latestFreshness: 'minute',
  editionSchema: DailyResponseSchema,
  indexSchema: DailiesResponseSchema,
};

export const weeklyEditions: EditionDefinition = {
  kind: 'weekly',
  plural: 'weeklies',
  label: 'week',
  labelSchema: WeekSchema,
  isLabel: (text) => parseIsoWeek(text).ok,
  limits: { max: 60, default: 12 },
  indexFreshness: 'five-minutes',
  latestFreshness: 'five-minutes',
  editionSchema: WeeklyResponseSchema,
  indexSchema: WeekliesResponseSchema,
};

export const monthlyEditions: EditionDefinition = {
  kind: 'monthly',
  plural: 'monthlies',
  label: 'month',
  labelSchema: MonthSchema,
  isLabel: (text) => parseCalendarMonth(text).ok,
  limits: { max: 60, default: 12 },
  indexFreshness: 'five-minutes',
  latestFreshness: 'five-minutes',
  editionSchema: MonthlyResponseSchema,
  indexSchema: MonthliesResponseSchema,
};

export const editionDefinitions: readonly EditionDefinition[] = [
  dailyEditions,
  weeklyEditions,
  monthlyEditions,
];
