import { html } from 'ghtml';
import { Type } from 'typebox';

import { invalidField, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { Id } from '../../foundation/ids.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { defineNewsRoute } from '../../news/index.ts';
import { storySummary, wordStory } from '../../news/stories/index.ts';
import { publicPaths, recordCacheTags, storyTag } from '../../record/index.ts';
import type { InterfaceLanguage } from '../shell/words/words.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import { clipped, summaryCharsMax, titleCharsMax } from './clipped.ts';
import { hotList, readHot } from './hot-list.ts';
import { moment } from './moments.ts';
import { factsLine, langOf } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import type { FramedPage, Moved, SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

/** What other sites show in a frame, and the description of it by which they find the frame of a page. */
export function embedPages(tools: SiteTools): readonly RouteDeclaration[] {
  return [...hotFrame(tools), ...storyFrame(tools), oEmbed(tools)];
}

/** Enough for the ten titles, or for a digest, in a column of a newspaper. */
const frame = { width: 480, hotHeight: 640, storyHeight: 320, widthMin: 240, heightMin: 160 };

function hotFrame(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/embed/hot',
    operationId: 'getHotFrame',
    freshness: 'minute',
    resource: (_input, context) => ({
      key: 'embed hot',
      cacheTags: [recordCacheTags.hotTopics, recordCacheTags.stories, recordCacheTags.items],
      build: async (): Promise<FramedPage> => {
        const { entries } = await readHot(context);
        const { words, href } = context;
        return {
          framed: {
            title: words.hot.title,
            main: html`<h1><a href="${href('/hot')}">${words.hot.title}</a></h1>
              !${hotList(entries, context, 2)}
              <p class="meta">
                !${factsLine([html`<a href="${href('/hot')}">${words.embed.all}</a>`, html`${words.embed.times}`])}
              </p>`,
          },
        };
      },
    }),
  });
}

function storyFrame(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/embed/story/{id}',
    operationId: 'getStoryFrame',
    params: Type.Object({ id: Type.String({ maxLength: 128 }) }),
    problems: [notFound],
    freshness: 'minute',
    resource: ({ params: { id } }, context) => {
      const storyId = existingForm(id, context);
      return {
        key: `embed story ${id}`,
        cacheTags: [recordCacheTags.stories],
        edgeTags: [storyTag(id)],
        build: () => buildStoryFrame(storyId, context),
      };
    },
  });
}

function existingForm(id: string, { storyLayer }: Pick<PageContext, 'storyLayer'>): Id<'story'> {
  if (!storyLayer || !idForm.test(id)) throw new ProblemError(notFound, 'Story not found.');
  return id as Id<'story'>;
}

async function buildStoryFrame(id: Id<'story'>, context: PageContext): Promise<FramedPage | Moved> {
  const found = await context.record.story(id);
  if (found === null) throw new ProblemError(notFound, 'Story not found.');
  if (found.state === 'merged') return { movedTo: `/embed${publicPaths.storyPath(found.into)}` };
  const { words, href, language } = context;
  const story = wordStory(found.story, [language]);
  const path = href(publicPaths.storyPath(id));
  return {
    framed: {
      title: story.title,
      main: html`<h1 !${langOf(story.language, context)}>
          <a href="${path}">${clipped(story.title, titleCharsMax)}</a>
        </h1>
        <p !${langOf(story.language, context)}>${clipped(storySummary(story), summaryCharsMax)}</p>
        <p class="meta">
          !${factsLine([
            html`${words.sources(story.sourceCount)}`,
            html`!${moment(story.latestAt, language)} ${words.inShanghai}`,
            html`<a href="${path}">${words.embed.read}</a>`,
          ])}
        </p>`,
    },
  };
}

const OEmbedQuery = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2_048 }),
    format: Type.Optional(Type.String({ maxLength: 16 })),
    maxwidth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    maxheight: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
  { additionalProperties: true },
);

const OEmbed = Type.Object({
  version: Type.Literal('1.0'),
  type: Type.Literal('rich'),
  provider_name: Type.String(),
  provider_url: Type.String(),
  title: Type.String(),
  html: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  cache_age: Type.Integer(),
  thumbnail_url: Type.String(),
  thumbnail_width: Type.Integer(),
  thumbnail_height: Type.Integer(),
});

/** As oembed.com describes it, in JSON: for the addresses of stories and of the ranking, in each language. */
function oEmbed(tools: SiteTools): RouteDeclaration {
  const contexts = new Map(
    interfaceLanguages.map((language) => [language, createPageContext(tools, language)]),
  );
  return defineNewsRoute(tools, {
    path: '/oembed',
    operationId: 'getOEmbed',
    tag: 'site',
    summary: 'How to embed a page.',
    query: OEmbedQuery,
    ok: { description: 'The frame of the page.', schema: OEmbed, example: {} },
    problems: [notFound],
    freshness: 'five-minutes',
    resource: ({ query }) => {
      if ((query.format ?? 'json') !== 'json') throw invalidField('format', 'must be json', 'query');
      const page = embeddedPage(query.url, tools);
      const context = page === null ? undefined : contexts.get(page.language);
      if (page === null || context === undefined)
        throw new ProblemError(notFound, 'This address is not a page that can be embedded.');
      const size = {
        width: Math.max(frame.widthMin, Math.min(query.maxwidth ?? frame.width, frame.width)),
        height: Math.max(frame.heightMin, Math.min(query.maxheight ?? page.height, page.height)),
      };
      return {
        key: `oembed ${page.language} ${page.path} ${size.width} ${size.height}`,
        cacheTags: [recordCacheTags.stories],
        ...(page.storyId !== null && { edgeTags: [storyTag(page.storyId)] }),
        build: async () => ({
          status: 200,
          contentType: 'application/json; charset=utf-8',
          body: JSON.stringify(await describe(page, size, context)),
        }),
      };
    },
  });
}

interface EmbeddedPage {
  readonly language: InterfaceLanguage;
  /** Without the language prefix. */
  readonly path: string;
  readonly storyId: Id<'story'> | null;
  readonly height: number;
}

/** Null if the address is not one of this installation, or not of a page with a frame. */
function embeddedPage(url: string, { baseUrl, language: own, storyLayer }: SiteTools): EmbeddedPage | null {
  const [address = ''] = url.split(/[?#]/, 1);
  if (!address.startsWith(`${baseUrl}/`)) return null;
  const parts = address.slice(baseUrl.length + 1).split('/');
  const language = interfaceLanguages.find((one) => one === parts[0]);
  const [section, id, ...rest] = language === undefined ? parts : parts.slice(1);
  const of = { language: language ?? own };
  if (section === 'hot' && id === undefined)
    return { ...of, path: '/hot', storyId: null, height: frame.hotHeight };
  if (section !== 'story' || rest.length > 0 || !storyLayer || !idForm.test(id ?? '')) return null;
  const storyId = id as Id<'story'>;
  return { ...of, path: publicPaths.storyPath(storyId), storyId, height: frame.storyHeight };
}

async function describe(
  { path, storyId }: EmbeddedPage,
  { width, height }: { readonly width: number; readonly height: number },
  context: PageContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { words, baseUrl, href } = context;
  const title = storyId === null ? words.hot.title : await titleOfStory(storyId, context);
  const address = `${baseUrl}${href(`/embed${path}`)}`;
  return {
    version: '1.0',
    type: 'rich',
    provider_name: 'Daybook',
    provider_url: baseUrl,
    title,
    html: frameOf(address, { title: words.embed.frame, width, height }),
    width,
    height,
    cache_age: 300,
    thumbnail_url: `${baseUrl}${href(`/og${path}.png`)}`,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  };
}

/** For a page of another site: on one line, and without rights but to open links in new tabs. */
function frameOf(
  address: string,
  { title, width, height }: { readonly title: string; readonly width: number; readonly height: number },
): string {
  const attributes = html`src="${address}" title="${title}" width="${width}" height="${height}"`;
  const rights = 'sandbox="allow-popups allow-popups-to-escape-sandbox"';
  return `<iframe ${attributes} loading="lazy" ${rights} style="border:0"></iframe>`;
}

/** Of the surviving story if it was merged: its frame redirects there. */
async function titleOfStory(id: Id<'story'>, context: PageContext): Promise<string> {
  const found = await context.record.story(id);
  if (found === null) throw new ProblemError(notFound, 'Story not found.');
  if (found.state === 'merged') return titleOfStory(found.into, context);
  return clipped(wordStory(found.story, [context.language]).title, titleCharsMax);
}
