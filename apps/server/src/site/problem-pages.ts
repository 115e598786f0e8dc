import { html } from 'ghtml';
import { Type } from 'typebox';

import { notFound } from '../foundation/http/http-problems.ts';
import { problemPath, statusOfKind } from '../foundation/http/problem-response.ts';
import type { RouteDeclaration } from '../foundation/http/route.ts';
import type { ProblemDefinition } from '../foundation/problem.ts';
import { ProblemError } from '../foundation/problem.ts';
import type { SiteTools } from './page-route.ts';
import { definePage } from './page-route.ts';
import { pageBody } from './page.ts';

/** What `type` of every error points to. */
export function problemPages(
  tools: SiteTools,
  problems: readonly ProblemDefinition[],
): readonly RouteDeclaration[] {
  const byPath = new Map(problems.map((problem) => [problemPath(problem.code), problem]));
  return [
    definePage(tools, {
      path: '/problems',
      operationId: 'listProblems',
      summary: 'Every error code.',
      resource: () => ({ key: 'problems', topics: [], build: async () => pageBody(listPage(byPath)) }),
    }),
    definePage(tools, {
      path: '/problems/{code}',
      operationId: 'getProblem',
      summary: 'What an error code means and what to do.',
      params: Type.Object({ code: Type.String() }),
      problems: [notFound],
      resource: ({ params }) => {
        const path = `/problems/${params.code}`;
        const problem = byPath.get(path);
        if (problem === undefined) throw new ProblemError(notFound, 'there is no such error code');
        return { key: path, topics: [], build: async () => pageBody(problemPage(problem)) };
      },
    }),
  ];
}

function problemPage({ code, title, kind, explanation }: ProblemDefinition): { title: string; main: string } {
  const main = html`<h1>${title}</h1>
    <p>Status <strong>${statusOfKind[kind]}</strong>, code <code>${code}</code></p>
    <p>${explanation}</p>
    <p>
      Every error carries <code>X-Request-Id</code>; quote it when you ask for help.
      <a href="/problems">All codes</a>
    </p>`;
  return { title, main };
}

function listPage(byPath: ReadonlyMap<string, ProblemDefinition>): { title: string; main: string } {
  const entries = [...byPath]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([path, { code, title }]) =>
        html`<li>
          <a href="${path}"><code>${code}</code></a
          >: ${title}
        </li>`,
    );
  return {
    title: 'Error codes',
    main: html`<h1>Error codes</h1>
      <ul>
        !${entries}
      </ul>`,
  };
}
