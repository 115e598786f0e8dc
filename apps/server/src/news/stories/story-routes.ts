import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath, storyApiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import { momentQuery } from '../moments/as-of-schema.ts';
import { atMoment } from '../moments/moment-resource.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import type { StoryDeps, StoryForm } from './story-representation.ts';
import { storyResource } from './story-representation.ts';
import { StoryParamsSchema, StoryResponseSchema, storyExample } from './story-schema.ts';

const jsonForm: StoryForm = {
  name: 'story',
  path: storyApiPath,
  write: (story) => jsonBody(JSON.stringify({ schemaVersion: 1, story })),
};

export function storyRoutes(tools: NewsRouteTools, deps: StoryDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/stories/{publicId}`,
      operationId: 'getStory',
      tag: 'stories',
      summary: 'Get a story: its reports, digest and related stories.',
      description: 'Returns 308 with the URL of the surviving story if the story was merged.',
      params: StoryParamsSchema,
      query: momentQuery,
      ok: { description: 'The story.', schema: StoryResponseSchema, example: storyExample },
      redirects: true,
      problems: [notFound],
      freshness: 'minute',
      resource: ({ params: { publicId }, query: { at, ...query } }) =>
        atMoment(
          deps,
          {
            at,
            subject: async () => ({ kind: 'story', id: publicId }),
            proof: `${storyApiPath(publicId)}/proof`,
          },
          (then) => storyResource(then, { publicId, ...query }, jsonForm),
        ),
    }),
  ];
}
