import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import { problemPath, statusOfKind } from '../../foundation/http/problem-response.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';
import { withCode } from './texts/written-text.ts';

/** The target of `type` of every error. */
export function problemPages(
  tools: SiteTools,
  problems: readonly ProblemDefinition[],
): readonly RouteDeclaration[] {
  const byPath = new Map(problems.map((problem) => [problemPath(problem.code), problem]));
  return [
    ...definePublicPage(tools, {
      path: '/problems',
      operationId: 'listProblems',
      freshness: 'five-minutes',
      resource: () => ({ key: 'problems', cacheTags: [], build: async () => listPage(byPath) }),
    }),
    ...definePublicPage(tools, {
      path: '/problems/{code}',
      operationId: 'getProblem',
      params: Type.Object({ code: Type.String() }),
      problems: [notFound],
      freshness: 'five-minutes',
      resource: ({ params }) => {
        const path = `/problems/${params.code}`;
        const problem = byPath.get(path);
        if (problem === undefined) throw new ProblemError(notFound, 'Error code not found.');
        return { key: path, cacheTags: [], build: async () => problemPage(path, problem) };
      },
    }),
  ];
}

function problemPage(path: string, { code, title, kind, explanation }: ProblemDefinition): PublicPage {
  const main = html`<h1 lang="en">${title}</h1>
    <p lang="en">Status <strong>${statusOfKind[kind]}</strong>, code <code>${code}</code></p>
    <p lang="en">!${withCode(explanation)}</p>
    <p lang="en">
      Every error response has an <code>X-Request-Id</code> header. Include its value when you contact
      support.
      <a href="/problems">All codes</a>
    </p>`;
  return { title, description: explanation, path, width: 'column', main };
}

function listPage(byPath: ReadonlyMap<string, ProblemDefinition>): PublicPage {
  const entries = [...byPath].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    title: 'Error codes',
    description: 'All error codes of the APIs, with status and explanation.',
    path: '/problems',
    width: 'wide',
    main: html`<h1 lang="en">Error codes</h1>
      <table class="codes" lang="en">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          !${entries.map(
            ([path, { code, title, kind }]) =>
              html`<tr>
                <td data-column="Code">
                  <a href="${path}"><code>${code}</code></a>
                </td>
                <td data-column="Status">${statusOfKind[kind]}</td>
                <td data-column="Meaning">${title}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
  };
}
