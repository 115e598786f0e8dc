import { generateOpml } from 'feedsmith';
import { html } from 'ghtml';
import { Type } from 'typebox';

import type { Resource } from '../../foundation/cache/representation-cache.ts';
import { sendResource } from '../../foundation/cache/representation-reply.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { defineRoute } from '../../foundation/http/route.ts';
import { temporalInstant } from '../../foundation/instant.ts';
import { cacheControlOf, writableText } from '../../news/index.ts';
import { categories, recordCacheTags } from '../../record/index.ts';
import { assets, favicon, offlineScript } from '../shell/assets.ts';
import { interfaceLanguages } from '../shell/words/words.ts';
import type { PageContext } from './page-context.ts';
import { createPageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import { readAllSources } from './sources-page.ts';

const forEver = 'public, max-age=31536000, immutable';
const aDay = 'public, max-age=86400, s-maxage=86400';
const anHour = 'public, max-age=3600, s-maxage=3600';

type FileTools = Pick<SiteTools, 'anonymous' | 'cache'>;

/** Styles, scripts, fonts and the icon, used by every page. */
export function assetRoutes(tools: FileTools): readonly RouteDeclaration[] {
  return [
    ...assets.map(({ path, contentType, bytes }, index) =>
      fileRoute(
        tools,
        { path, operationId: `getAsset${index}`, contentType, cacheControl: forEver },
        {
          key: path,
          cacheTags: [],
          build: async () => ({ status: 200, contentType, body: bytes }),
        },
      ),
    ),
    ...['/favicon.svg', '/favicon.ico'].map((path, index) =>
      fileRoute(
        tools,
        { path, operationId: `getIcon${index}`, contentType: icon, cacheControl: aDay },
        {
          key: path,
          cacheTags: [],
          build: async () => ({ status: 200, contentType: icon, body: favicon }),
        },
      ),
    ),
  ];
}

/** The sources, for feed readers. */
export function sourcesOpml(tools: SiteTools): RouteDeclaration {
  return fileRoute(
    tools,
    {
      path: '/sources.opml',
      operationId: 'getSourcesOpml',
      contentType: opml,
      cacheControl: cacheControlOf('five-minutes'),
    },
    {
      key: 'sources.opml',
      cacheTags: [recordCacheTags.sources],
      build: async () => ({ status: 200, contentType: opml, body: await writeOpml(tools) }),
    },
  );
}

/** RFC 9116, where the installation has a contact. */
export function securityTxt(tools: SiteTools): readonly RouteDeclaration[] {
  const { securityContact = null, baseUrl, clock } = tools;
  if (securityContact === null) return [];
  const path = '/.well-known/security.txt';
  const build = async () => {
    // Whole days, so that the file changes once a day.
    const today = temporalInstant(clock.now()).toZonedDateTimeISO('UTC').startOfDay();
    const expires = today.add({ days: securityTxtDays }).toInstant().toString();
    const fields = [`Contact: ${securityContact}`, `Expires: ${expires}`, 'Preferred-Languages: en, zh'];
    return {
      status: 200,
      contentType: plainText,
      body: `${fields.join('\n')}\nCanonical: ${baseUrl}${path}\n`,
    };
  };
  const route = { path, operationId: 'getSecurityTxt', contentType: plainText, cacheControl: aDay };
  return [fileRoute(tools, route, { key: path, cacheTags: [], build })];
}

/** With which a browser installs the site, searches it, and reads it offline. */
export function installationFiles(tools: SiteTools): readonly RouteDeclaration[] {
  const file = (name: string, path: string, contentType: string, text: string | Buffer): RouteDeclaration =>
    fileRoute(
      tools,
      { path, operationId: name, contentType, cacheControl: anHour },
      { key: path, cacheTags: [], build: async () => ({ status: 200, contentType, body: text }) },
    );
  return [
    file('getOfflineScript', '/offline.js', 'text/javascript; charset=utf-8', offlineScript),
    ...interfaceLanguages.flatMap((language) => {
      const context = createPageContext(tools, language);
      const suffix = language === tools.language ? '' : `_${language}`;
      return [
        file(
          `getManifest${suffix}`,
          context.href('/manifest.webmanifest'),
          'application/manifest+json; charset=utf-8',
          manifest(context),
        ),
        file(
          `getOpenSearch${suffix}`,
          context.href('/opensearch.xml'),
          'application/opensearchdescription+xml; charset=utf-8',
          openSearch(context),
        ),
      ];
    }),
  ];
}

function manifest({ words, language, href }: PageContext): string {
  return JSON.stringify({
    name: 'Daybook',
    short_name: 'Daybook',
    description: words.description,
    lang: language,
    id: '/',
    start_url: href('/'),
    scope: '/',
    display: 'minimal-ui',
    background_color: '#fdfcfa',
    theme_color: '#fdfcfa',
    icons: [{ src: '/favicon.svg', sizes: 'any', type: icon }],
  });
}

function openSearch({ words, baseUrl, href }: PageContext): string {
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
      <ShortName>Daybook</ShortName>
      <Description>${words.description}</Description>
      <InputEncoding>UTF-8</InputEncoding>
      <Image width="16" height="16" type="${icon}">${baseUrl}/favicon.svg</Image>
      <Url type="text/html" template="${baseUrl}${href('/search')}?q={searchTerms}" />
    </OpenSearchDescription> `;
}

/** RFC 9116 recommends less than a year. */
const securityTxtDays = 180;
const plainText = 'text/plain; charset=utf-8';
const icon = 'image/svg+xml';
const feedNames = [
  'selected',
  ...categories.map((category) => `categories/${category}`),
  'daily',
  'weekly',
  'monthly',
  'corrections',
];
const opml = 'text/x-opml; charset=utf-8';

interface FileRoute {
  readonly path: string;
  readonly operationId: string;
  readonly contentType: string;
  readonly cacheControl: string;
}

function fileRoute(
  tools: FileTools,
  { path, operationId, contentType, cacheControl }: FileRoute,
  resource: Resource,
): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    isShared: true,
    path,
    surface: tools.anonymous,
    operationId,
    summary: 'A file of the site.',
    tag: 'site',
    query: Type.Object({}, { additionalProperties: true }),
    responses: {
      200: { description: 'The file.', schema: Type.String(), contentType },
      304: { description: 'Unchanged.' },
    },
    problems: [],
    handle: ({ request, reply }) =>
      sendResource(request, reply, tools.cache, { ...resource, byTarget: true }, cacheControl),
  });
}

/** Daybook's feeds first, then the sites of the sources. */
async function writeOpml(tools: SiteTools): Promise<string> {
  const sources = await readAllSources(tools);
  const own = feedNames.map((name) => ({
    text: `Daybook: ${name.replace('categories/', '')}`,
    type: 'rss',
    xmlUrl: `${tools.baseUrl}/feeds/${name}.atom`,
    htmlUrl: tools.baseUrl,
  }));
  const sites = sources.map(({ name, homepageUrl, language }) => ({
    text: writableText(name),
    type: 'link',
    ...(homepageUrl === null ? {} : { htmlUrl: homepageUrl }),
    ...(language === null ? {} : { language }),
  }));
  return generateOpml({ head: { title: 'Daybook' }, body: { outlines: [...own, ...sites] } });
}
