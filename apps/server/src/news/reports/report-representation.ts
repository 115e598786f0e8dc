import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { editionTag, recordCacheTags } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { ReportDefinition } from './report-kinds.ts';
import type { Report, ReportContext } from './report-presenter.ts';
import { composeReport, presentEntry, presentReport } from './report-presenter.ts';

export interface ReportDeps extends ReportContext {
  readonly record: RecordReader;
}

/** How one form of a report is written. */
export interface ReportForm {
  readonly name: string;
  readonly write: (definition: ReportDefinition, report: Report) => BuiltBody;
}

export const jsonReport: ReportForm = {
  name: 'report',
  write: (definition, report) =>
    jsonBody(JSON.stringify({ schemaVersion: 1, report: presentReport(definition, report) })),
};

export function datedReportResource(
  deps: ReportDeps,
  definition: ReportDefinition,
  label: string,
  form: ReportForm,
): Resource {
  if (!definition.isLabel(label)) {
    const message = `is not a ${definition.label} of the calendar`;
    throw new ProblemError(invalidRequest, `${definition.label} ${message}`, {
      errors: [{ in: 'path', name: definition.label, message }],
    });
  }
  return reportResource(deps, definition, label, form);
}

export function latestReportResource(
  deps: ReportDeps,
  definition: ReportDefinition,
  form: ReportForm,
): Resource {
  return reportResource(deps, definition, 'latest', form);
}

function reportResource(
  deps: ReportDeps,
  definition: ReportDefinition,
  period: string,
  form: ReportForm,
): Resource {
  return {
    key: `${form.name} ${definition.kind} ${period}`,
    cacheTags: [recordCacheTags.reports],
    ...(period === 'latest' ? {} : { edgeTags: [editionTag({ kind: definition.kind, period })] }),
    build: async () => {
      const edition = await deps.record.edition(definition.kind, period);
      if (edition === null) {
        const which = period === 'latest' ? '' : ` of ${period}`;
        throw new ProblemError(notFound, `there is no ${definition.kind} report${which}`);
      }
      return form.write(definition, composeReport(edition, deps));
    },
  };
}

export function reportIndexResource(
  deps: ReportDeps,
  definition: ReportDefinition,
  entriesMax: number,
): Resource {
  return {
    key: `report-index ${definition.kind} ${entriesMax}`,
    cacheTags: [recordCacheTags.reports],
    build: async () => {
      const entries = await deps.record.editionEntries(definition.kind, entriesMax);
      const reports = entries.map((entry) => presentEntry(definition, entry, deps.addresses));
      return jsonBody(JSON.stringify({ schemaVersion: 1, count: reports.length, reports }));
    },
  };
}
