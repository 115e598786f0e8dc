import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import { html } from 'ghtml';

import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { SiteTools } from './page-route.ts';
import { definePage } from './page-route.ts';
import { pageBody } from './page.ts';
import { siteScript } from './site-script.ts';
import { siteStyles } from './site-styles.ts';

const script = 'text/javascript; charset=utf-8';
const styles = 'text/css; charset=utf-8';

/** Starts the viewer; a file of its own, because the policy allows nothing inline. */
const start = `SwaggerUIBundle({ url: '/openapi-v1.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });
`;

const main = html`<h1>API reference</h1>
  <p>
    The description itself: <a href="/openapi-v1.json">openapi-v1.json</a> (OpenAPI 3.1.0).
    <a href="/problems">Error codes</a>.
  </p>
  <noscript><p>The viewer needs a script; the description does not.</p></noscript>
  <div id="reference"></div>`;

interface Asset {
  readonly path: string;
  readonly contentType: string;
  readonly read: () => Promise<string>;
}

const assets: readonly Asset[] = [
  { path: '/site.css', contentType: styles, read: async () => siteStyles },
  { path: '/site.js', contentType: script, read: async () => siteScript },
  { path: '/docs/start.js', contentType: script, read: async () => start },
  { path: '/docs/swagger-ui.css', contentType: styles, read: () => readViewerFile('swagger-ui.css') },
  {
    path: '/docs/swagger-ui-bundle.js',
    contentType: script,
    read: () => readViewerFile('swagger-ui-bundle.js'),
  },
];

export function referencePages(tools: SiteTools): readonly RouteDeclaration[] {
  return [
    definePage(tools, {
      path: '/docs',
      operationId: 'getReference',
      summary: 'The API, for people.',
      resource: () => ({
        key: 'docs',
        topics: [],
        build: async () =>
          pageBody({
            title: 'API reference',
            main,
            wide: true,
            styles: ['/docs/swagger-ui.css'],
            scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
          }),
      }),
    }),
    ...assets.map((asset, index) => assetRoute(tools, asset, index)),
  ];
}

function assetRoute(tools: SiteTools, { path, contentType, read }: Asset, index: number): RouteDeclaration {
  return definePage(tools, {
    path,
    operationId: `getAsset${index}`,
    summary: 'A file of the site.',
    contentType,
    resource: () => ({
      key: path,
      topics: [],
      build: async () => ({
        status: 200,
        contentType,
        body: await read(),
        headers: { 'x-content-type-options': 'nosniff' },
      }),
    }),
  });
}

function readViewerFile(name: string): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`), 'utf8');
}
