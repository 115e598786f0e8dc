import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { BuiltBody } from '../../foundation/cache/representation.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { editions, RecordReader } from '../../record/index.ts';
import { editionTag, recordCacheTags } from '../../record/index.ts';
import { createAddresses } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import type { LanguageQuery } from '../reader-language-query.ts';
import type { EditionDefinition } from './edition-kinds.ts';
import { dailyEditions, editionDefinitions } from './edition-kinds.ts';
import type { Edition, EditionContext } from './edition-presenter.ts';
import { composeEdition, presentEntry, presentEdition } from './edition-presenter.ts';

export interface EditionDeps extends EditionContext {
  readonly record: RecordReader;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

/** Without a label, the newest. */
export interface EditionRequest extends LanguageQuery {
  readonly label?: string;
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

/** The body that the API would return for an edition that is not published yet. */
export function draftBody(
  edition: editions.RecordedEdition,
  language: ReaderLanguage,
  { baseUrl, storyLayer }: { readonly baseUrl: string; readonly storyLayer: boolean },
): string {
  const definition = editionDefinitions.find(({ kind }) => kind === edition.kind) ?? dailyEditions;
  const composed = composeEdition(edition, language, { addresses: createAddresses(baseUrl), storyLayer });
  return String(jsonEdition.write(definition, composed).body);
}

export function editionResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  { label, language = deps.language }: EditionRequest,
  form: EditionForm,
): Resource {
  if (label !== undefined && !definition.isLabel(label)) {
    const message = `is not a valid ${definition.label}`;
    throw new ProblemError(invalidRequest, `${definition.label} ${message}`, {
      errors: [{ in: 'path', name: definition.label, message }],
    });
  }
  return {
    key: `${form.name} ${language} ${definition.kind} ${label ?? 'latest'}`,
    cacheTags: [recordCacheTags.editions],
    ...(label === undefined ? {} : { edgeTags: [editionTag({ kind: definition.kind, period: label })] }),
    build: async () => {
      const edition = await deps.record.edition(definition.kind, label ?? 'latest');
      if (edition === null) {
        const which = label === undefined ? '' : ` of ${label}`;
        throw new ProblemError(notFound, `No ${definition.kind} report${which}.`);
      }
      return form.write(definition, composeEdition(edition, language, deps));
    },
  };
}

export function editionIndexResource(
  deps: EditionDeps,
  definition: EditionDefinition,
  { limit, language = deps.language }: LanguageQuery & { readonly limit: number },
): Resource {
  return {
    key: `report-index ${language} ${definition.kind} ${limit}`,
    cacheTags: [recordCacheTags.editions],
    build: async () => {
      const entries = await deps.record.editionEntries(definition.kind, limit);
      const reports = entries.map((entry) => presentEntry(definition, entry, language, deps.addresses));
      return jsonBody(JSON.stringify({ schemaVersion: 1, count: reports.length, reports }));
    },
  };
}
