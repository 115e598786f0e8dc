import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { recordCacheTags } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import type { CorrectionsDeps } from './correction-page.ts';
import { presentCorrection, readCorrectionPage, readCorrectionPosition } from './correction-page.ts';
import {
  CorrectionsQuerySchema,
  CorrectionsResponseSchema,
  correctionsExample,
} from './corrections-schema.ts';

export function correctionsRoutes(tools: NewsRouteTools, deps: CorrectionsDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/corrections`,
      operationId: 'listCorrections',
      tag: 'corrections',
      summary: 'List withdrawals, corrections, merges and splits, newest first.',
      query: CorrectionsQuerySchema,
      ok: { description: 'One page.', schema: CorrectionsResponseSchema, example: correctionsExample },
      problems: [invalidCursor],
      freshness: 'minute',
      resource: ({ query: { limit, cursor, language = deps.language } }) => {
        const after = readCorrectionPosition(cursor);
        return {
          key: `corrections ${limit} ${cursor ?? ''} ${language}`,
          cacheTags: [recordCacheTags.corrections],
          build: async () => {
            const { corrections, nextCursor } = await readCorrectionPage(deps, after, limit);
            return jsonBody(
              JSON.stringify({
                schemaVersion: 1,
                corrections: corrections.map((one) => presentCorrection(one, { ...deps, language })),
                page: { count: corrections.length, hasMore: nextCursor !== null, nextCursor },
              }),
            );
          },
        };
      },
    }),
  ];
}
