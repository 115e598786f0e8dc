import type { TObject, TString } from 'typebox';

import { parseCalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { parseCalendarMonth } from '../../foundation/calendar/calendar-month.ts';
import { parseIsoWeek } from '../../foundation/calendar/iso-week.ts';
import type { recorded } from '../../record/index.ts';
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
} from './report-schema.ts';

/** What tells dailies, weeklies and monthlies apart. */
export interface ReportDefinition {
  readonly kind: recorded.EditionKind;
  /** In addresses: `/dailies`. */
  readonly plural: string;
  /** Its label's name, in paths and bodies. */
  readonly label: 'date' | 'week' | 'month';
  readonly labelSchema: TString;
  readonly isLabel: (text: string) => boolean;
  readonly limits: { readonly max: number; readonly default: number };
  readonly indexFreshness: Freshness;
  readonly latestFreshness: Freshness;
  readonly reportSchema: TObject;
  readonly indexSchema: TObject;
}

export const dailyReports: ReportDefinition = {
  kind: 'daily',
  plural: 'dailies',
  label: 'date',
  labelSchema: DateSchema,
  isLabel: (text) => parseCalendarDate(text).ok,
  limits: { max: 180, default: 30 },
  indexFreshness: 'minute',
  latestFreshness: 'minute',
  reportSchema: DailyResponseSchema,
  indexSchema: DailiesResponseSchema,
};

export const weeklyReports: ReportDefinition = {
  kind: 'weekly',
  plural: 'weeklies',
  label: 'week',
  labelSchema: WeekSchema,
  isLabel: (text) => parseIsoWeek(text).ok,
  limits: { max: 60, default: 12 },
  indexFreshness: 'five-minutes',
  latestFreshness: 'five-minutes',
  reportSchema: WeeklyResponseSchema,
  indexSchema: WeekliesResponseSchema,
};

export const monthlyReports: ReportDefinition = {
  kind: 'monthly',
  plural: 'monthlies',
  label: 'month',
  labelSchema: MonthSchema,
  isLabel: (text) => parseCalendarMonth(text).ok,
  limits: { max: 60, default: 12 },
  indexFreshness: 'five-minutes',
  latestFreshness: 'five-minutes',
  reportSchema: MonthlyResponseSchema,
  indexSchema: MonthliesResponseSchema,
};

export const reportDefinitions: readonly ReportDefinition[] = [dailyReports, weeklyReports, monthlyReports];
