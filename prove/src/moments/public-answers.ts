import type { BuiltBody } from '../../../apps/server/src/foundation/cache/representation.ts';
import type { EpochMicroseconds } from '../../../apps/server/src/foundation/instant.ts';
import { isoMilliseconds } from '../../../apps/server/src/foundation/instant.ts';
import { ProblemError } from '../../../apps/server/src/foundation/problem.ts';
import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import { createAddresses } from '../../../apps/server/src/news/addresses.ts';
import { editionDefinitions } from '../../../apps/server/src/news/editions/edition-kinds.ts';
import {
  editionResource,
  jsonEdition,
} from '../../../apps/server/src/news/editions/edition-representation.ts';
import { hotTopicsResource } from '../../../apps/server/src/news/hot-topics/hot-topics.ts';
import { itemResource } from '../../../apps/server/src/news/items/item-representation.ts';
import { jsonBody } from '../../../apps/server/src/news/json-body.ts';
import { storyResource } from '../../../apps/server/src/news/stories/story-representation.ts';
import type { editions, RecordReader } from '../../../apps/server/src/record/index.ts';
import type { createTestClock } from '../../../apps/server/test/clock.ts';
import { baseUrl } from '../../../apps/server/test/news-app.ts';
import type { PublicAnswer } from './compare-answers.ts';

/** What an address of the API answers, without the caches before it. */
export interface Surface {
  readonly path: string;
  readonly language: ReaderLanguage;
  readonly build: () => Promise<BuiltBody>;
}

export interface AnswerDeps {
  readonly record: RecordReader;
  readonly clock: ReturnType<typeof createTestClock>;
}

export function surfacesOf({ record, clock }: AnswerDeps) {
  const addresses = createAddresses(baseUrl);
  const deps = { record, clock, addresses, baseUrl, storyLayer: true, language: 'en' } as const;
  const storyForm = {
    name: 'story',
    path: (id: string) => `/api/v1/stories/${id}`,
    write: (story: object) => jsonBody(JSON.stringify({ schemaVersion: 1, story })),
  };
  return {
    item: (id: string, language: ReaderLanguage): Surface => ({
      path: `/api/v1/items/${id}?language=${language}`,
      language,
      build: () => itemResource(deps, { id, language }).build(),
    }),
    story: (publicId: string, language: ReaderLanguage): Surface => ({
      path: `/api/v1/stories/${publicId}?language=${language}`,
      language,
      build: () => storyResource(deps, { publicId, language }, storyForm).build(),
    }),
    hotTopics: (language: ReaderLanguage): Surface => ({
      path: `/api/v1/hot-topics?language=${language}`,
      language,
      build: () => hotTopicsResource(deps, { language }).build(),
    }),
    /** Without a period, the newest. */
    edition: (kind: editions.EditionKind, period: string | null, language: ReaderLanguage): Surface => {
      const definition = editionDefinitions.find((one) => one.kind === kind);
      if (definition === undefined) throw new Error(`no edition is ${kind}`);
      const label = period === null ? {} : { label: period };
      return {
        path: `/api/v1/${definition.plural}/${period ?? 'latest'}?language=${language}`,
        language,
        build: () => editionResource(deps, definition, { ...label, language }, jsonEdition).build(),
      };
    },
  };
}

const statusOf: Readonly<Record<string, number>> = { not_found: 404, withdrawn: 410 };

export interface CopiedAnswer extends PublicAnswer {
  readonly moment: EpochMicroseconds;
  readonly path: string;
  readonly language: ReaderLanguage;
}

export async function copyAnswer(surface: Surface, moment: EpochMicroseconds): Promise<CopiedAnswer> {
  const { path, language } = surface;
  try {
    const built = await surface.build();
    const { status } = built;
    const body: unknown = status === 308 ? built.headers?.['location'] : JSON.parse(String(built.body));
    return { moment, path, language, status, body };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { moment, path, language, status: statusOf[error.definition.code] ?? 500, body: null };
  }
}

export function pathAt({ path, moment }: CopiedAnswer): string {
  return `${path}&at=${encodeURIComponent(isoMilliseconds(moment))}`;
}
