import type { TObject } from 'typebox';
import { Type } from 'typebox';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { sendResource } from '../../foundation/cache/representation-reply.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { idForm } from '../../foundation/ids.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { dailyEditions, monthlyEditions, weeklyEditions } from '../../news/editions/index.ts';
import { cacheControlOf } from '../../news/index.ts';
import { withdrawn } from '../../news/items/index.ts';
import { wordStory } from '../../news/stories/index.ts';
import { editions as recordedEditions, items, recordCacheTags } from '../../record/index.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import { editionLabel } from './edition-parts.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import type { PreviewText } from './preview-picture.ts';
import { drawPreview } from './preview-picture.ts';
import type { SiteTools } from './public-page.ts';

const png = 'image/png';

interface Preview<Params> {
  readonly path: string;
  readonly operationId: string;
  readonly params?: Params;
  readonly problems?: readonly ProblemDefinition[];
  readonly cacheTags: readonly string[];
  /** Refuses impossible ids before any look-up. */
  readonly text: (
    input: RouteInput<Params, undefined, undefined>,
    context: PageContext,
  ) => () => Promise<PreviewText>;
}

/** Pictures of 1200 by 630 that other sites show beside a link, for the pages of each language. */
export function previewRoutes(tools: SiteTools): readonly RouteDeclaration[] {
  return interfaceLanguages.flatMap((language) => routesIn(tools, createPageContext(tools, language)));
}

function routesIn(tools: SiteTools, context: PageContext): readonly RouteDeclaration[] {
  const { words } = context;
  const { items, stories, editions } = recordCacheTags;
  const fixed = (name: string, text: PreviewText): RouteDeclaration =>
    definePreview(tools, context, {
      path: `/og/${name}.png`,
      operationId: `getPreview_${name}`,
      cacheTags: [],
      text: () => async () => text,
    });
  const ids = Type.Object({ id: Type.String({ maxLength: 128 }) });
  return [
    fixed('front', { kick: words.tagline, title: words.description, foot: '' }),
    fixed('hot', { kick: words.hot.title, title: words.hot.lead, foot: '' }),
    definePreview(tools, context, {
      path: '/og/items/{id}.png',
      operationId: 'getPreview_item',
      params: ids,
      problems: [notFound, withdrawn],
      cacheTags: [items],
      text: ({ params: { id } }) => itemText(id, context),
    }),
    definePreview(tools, context, {
      path: '/og/story/{id}.png',
      operationId: 'getPreview_story',
      params: ids,
      problems: [notFound],
      cacheTags: [stories],
      text: ({ params: { id } }) => storyText(id, context),
    }),
    ...[dailyEditions, weeklyEditions, monthlyEditions].map(({ kind, isLabel }) =>
      definePreview(tools, context, {
        path: `/og/${kind}/{period}.png`,
        operationId: `getPreview_${kind}`,
        params: Type.Object({ period: Type.String({ maxLength: 16 }) }),
        problems: [notFound],
        cacheTags: [editions],
        text: ({ params: { period } }) => {
          if (!isLabel(period)) throw missing();
          return async () => {
            const recorded = await context.record.edition(kind, period);
            if (recorded === null) throw missing();
            const edition = recordedEditions.words.wordEdition(recorded, context.language);
            return {
              kick: words.edition.kick[kind](editionLabel(edition, context.language)),
              title: edition.headline,
              foot: words.stories(edition.sections.reduce((sum, section) => sum + section.items.length, 0)),
            };
          };
        },
      }),
    ),
  ];
}

function itemText(id: string, { record, baseUrl, words, language }: PageContext): () => Promise<PreviewText> {
  if (!idForm.test(id)) throw missing();
  return async () => {
    const found = await record.item(id);
    if (found === null) throw missing();
    if (found.state === 'withdrawn') throw new ProblemError(withdrawn, 'This item was withdrawn.');
    const item = JSON.parse(
      items.itemJson({ body: found.body, storyId: null }, { baseUrl, language }),
    ) as items.ItemBody;
    return {
      kick: words.categories[item.category] ?? item.category,
      title: item.title,
      foot: `${item.source.name}, ${(item.publishedAt ?? item.discoveredAt).slice(0, 10)}`,
    };
  };
}

function storyText(
  id: string,
  { record, storyLayer, words, language }: PageContext,
): () => Promise<PreviewText> {
  if (!storyLayer || !idForm.test(id)) throw missing();
  return async () => {
    const found = await record.story(id);
    if (found?.state !== 'standing') throw missing();
    const { title, reportCount, sourceCount } = wordStory(found.story, [language]);
    return { kick: words.storyWith(reportCount), title, foot: words.sources(sourceCount) };
  };
}

function missing(): ProblemError {
  return new ProblemError(notFound, 'Picture not found.');
}

function definePreview<Params extends TObject | undefined = undefined>(
  tools: SiteTools,
  context: PageContext,
  { path, operationId, params, problems = [], cacheTags, text }: Preview<Params>,
): RouteDeclaration {
  const cacheControl = cacheControlOf('five-minutes');
  return defineRoute<Params>({
    method: 'GET',
    isShared: true,
    path: context.canonicalHref(path),
    surface: tools.anonymous,
    operationId: context.language === tools.language ? operationId : `${operationId}_${context.language}`,
    summary: 'A picture for previews.',
    tag: 'site',
    ...(params === undefined ? {} : { params }),
    responses: {
      200: { description: 'The picture.', schema: Type.String(), contentType: png },
      304: { description: 'Unchanged.' },
    },
    problems,
    handle: (input) => {
      const read = text(input, context);
      const resource: Resource = {
        key: `preview ${input.request.routeOptions.url} ${JSON.stringify(input.params)}`,
        cacheTags,
        build: async () => ({ status: 200, contentType: png, body: await drawPreview(await read()) }),
        byTarget: true,
      };
      return sendResource(input.request, input.reply, tools.cache, resource, cacheControl);
    },
  });
}
