import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { editionTag, recordCacheTags } from '../../record/index.ts';
import { jsonBody } from '../json-body.ts';
import type { EditionDefinition } from './edition-kinds.ts';
import type { Edition, EditionContext } from './edition-presenter.ts';
import { composeEdition, presentEntry, presentEdition } from './edition-presenter.ts';

export interface EditionDeps extends EditionContext {
  readonly record: RecordReader;
}

/** Writes one format of an edition. */
export interface EditionForm {
  readonly name: string;
  readonly write: (definition: EditionDefinition, edition: Edition) => BuiltBody;
}

export const jsonEdition: EditionForm = {
  name: 'report',
  write: (definition, edition) =>
    jsonBody(JSON.stringify({ schemaVersion: 1, report: presentEdition(definition, edition) })),
};

export function datedEditionResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  label: string,
  form: EditionForm,
): Resource {
  if (!definition.isLabel(label)) {
    const message = `is not a ${definition.label} of the calendar`;
    throw new ProblemError(invalidRequest, `${definition.label} ${message}`, {
      errors: [{ in: 'path', name: definition.label, message }],
    });
  }
  return editionResource(deps, definition, label, form);
}

export function latestEditionResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  form: EditionForm,
): Resource {
  return editionResource(deps, definition, 'latest', form);
}

function editionResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  period: string,
  form: EditionForm,
): Resource {
  return {
    key: `${form.name} ${definition.kind} ${period}`,
    cacheTags: [recordCacheTags.editions],
    ...(period === 'latest' ? {} : { edgeTags: [editionTag({ kind: definition.kind, period })] }),
    build: async () => {
      const edition = await deps.record.edition(definition.kind, period);
      if (edition === null) {
        const which = period === 'latest' ? '' : ` of ${period}`;
        throw new ProblemError(notFound, `No ${definition.kind} report${which}.`);
      }
      return form.write(definition, composeEdition(edition, deps));
    },
  };
}

export function editionIndexResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  entriesMax: number,
): Resource {
  return {
    key: `report-index ${definition.kind} ${entriesMax}`,
    cacheTags: [recordCacheTags.editions],
    build: async () => {
      const entries = await deps.record.editionEntries(definition.kind, entriesMax);
      const reports = entries.map((entry) => presentEntry(definition, entry, deps.addresses));
      return jsonBody(JSON.stringify({ schemaVersion: 1, count: reports.length, reports }));
    },
  };
}
