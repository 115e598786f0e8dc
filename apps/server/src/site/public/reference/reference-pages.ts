import { html } from 'ghtml';

import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { PageContext } from '../page-context.ts';
import type { PublicPage } from '../page-head.ts';
import type { SiteTools } from '../public-page.ts';
import { definePublicPage } from '../public-page.ts';
import { withCode } from '../texts/written-text.ts';
import type { ApiDocument, DescribedApi } from './api-document.ts';
import { readApiDocument } from './api-document.ts';
import type { Guide } from './guides.ts';
import { operationPart, paragraphs } from './operation-part.ts';
import { parameterList, schemaFields } from './schema-fields.ts';
import { besideContents } from './table-of-contents.ts';

/** An overview, and a page for each API that this installation serves. */
export function referencePages(
  tools: SiteTools,
  apis: readonly DescribedApi[],
  guides: readonly Guide[],
): readonly RouteDeclaration[] {
  return [
    ...definePublicPage(tools, {
      path: '/docs',
      operationId: 'getReference',
      freshness: 'five-minutes',
      resource: (_input, context) => ({
        key: 'docs',
        cacheTags: [],
        build: async () => overviewPage(apis, guides, context),
      }),
    }),
    ...apis.flatMap((api) =>
      definePublicPage(tools, {
        path: pathOf(api),
        operationId: `getReference_${api.name}`,
        freshness: 'five-minutes',
        resource: (_input, context) => ({
          key: `docs ${api.name}`,
          cacheTags: [],
          build: async () => apiPage(api, context),
        }),
      }),
    ),
  ];
}

function pathOf({ name }: DescribedApi): string {
  return `/docs/${name}`;
}

function overviewPage(
  apis: readonly DescribedApi[],
  guides: readonly Guide[],
  context: PageContext,
): PublicPage {
  const { words, href } = context;
  const { title, description, lead, guidesTitle } = words.reference;
  return {
    title,
    description,
    path: '/docs',
    section: 'api',
    width: 'wide',
    main: html`<h1>${title}</h1>
      <p class="lead">!${withCode(lead)}</p>
      <p class="start">
        <a href="${href('/api')}">${words.reference.start}</a>
        <a href="/problems">${words.foot.problems}</a>
        <a href="${href('/terms')}">${words.foot.terms}</a>
      </p>
      <div class="apis">!${apis.map((api) => apiSummary(api, context))}</div>
      <h2>${guidesTitle}</h2>
      <ul class="guides" lang="en">
        !${guides.map(
          ({ path, title: name, opening }) =>
            html`<li>
              <h3><a href="${href(path)}">${name}</a></h3>
              <p>${opening}</p>
            </li>`,
        )}
      </ul>`,
  };
}

function apiSummary(api: DescribedApi, { words, href }: PageContext): string {
  const { title, version, description, tags } = readApiDocument(api);
  const path = href(pathOf(api));
  const count = tags.reduce((sum, { operations }) => sum + operations.length, 0);
  return html`<section>
    <h2 lang="en"><a href="${path}">${title}</a></h2>
    <p class="meta">
      <span>${version}</span><span>${words.reference.operations(count)}</span
      ><span><a href="${api.path}">OpenAPI</a></span>
    </p>
    <div lang="en">!${paragraphs(description.split('\n', 1)[0] ?? '')}</div>
    <ul lang="en">
      !${tags
        .filter(({ name }) => name !== 'description')
        .map(
          (tag) =>
            html`<li><a href="${path}#tag-${tag.name}">${tag.name}</a> !${withCode(tag.description)}</li>`,
        )}
    </ul>
  </section>`;
}

function apiPage(api: DescribedApi, context: PageContext): PublicPage {
  const document = readApiDocument(api);
  const { title, description, version, tags } = document;
  const words = context.words.reference;
  const main = html`<h1 lang="en">${title}</h1>
    <p class="meta">
      <span>${version}</span><span><a href="${context.href('/docs')}">${words.title}</a></span
      ><span><a href="${api.path}">OpenAPI</a></span>
    </p>
    <div lang="en">!${paragraphs(description)}</div>
    !${commonPart(document, context)}
    !${tags.map(
      (tag) =>
        html`<section class="operations" id="tag-${tag.name}">
          <h2 lang="en"><a href="#tag-${tag.name}">${tag.name}</a></h2>
          <p lang="en">!${withCode(tag.description)}</p>
          !${tag.operations.map((operation) => operationPart(operation, document, context))}
        </section>`,
    )}`;
  const contents = tags.map(({ name, operations }) => ({
    id: `tag-${name}`,
    label: name,
    inside: operations.map(({ operationId, summary }) => ({
      id: operationId,
      label: operationId,
      hint: summary,
    })),
  }));
  return {
    title,
    description: `${words.every} ${description.split('\n', 1)[0]}`,
    path: pathOf(api),
    section: 'api',
    width: 'wide',
    main: besideContents(contents, main, context),
  };
}

/** The common parts of all operations: credentials, headers, and the format of errors. */
function commonPart(document: ApiDocument, { words: { reference: words } }: PageContext): string {
  const { credentials, everywhere, schemas } = document;
  const names = Object.entries(credentials);
  const { Problem: problem } = schemas;
  return html`!${
    names.length === 0
      ? ''
      : html`<h2>${words.credentials}</h2>
          <ul class="fields" lang="en">
            !${names.map(
              ([name, { description }]) =>
                html`<li id="credential-${name}">
                  <p><code class="field-name">${name}</code></p>
                  <p>!${withCode(description)}</p>
                </li>`,
            )}
          </ul>`
  }
  !${
    everywhere.length === 0
      ? ''
      : html`<h2>${words.everywhere}</h2>
          <div lang="en">!${parameterList(everywhere, { document, words, in: 'request' })}</div>`
  }
  !${
    problem === undefined
      ? ''
      : html`<h2>${words.errors}</h2>
          <p>!${withCode(words.errorsNote)} <a href="/problems">${words.allErrors}</a></p>
          <details lang="en">
            <summary>Problem</summary>
            !${schemaFields(problem, { document, words, in: 'answer' })}
          </details>`
  }`;
}
