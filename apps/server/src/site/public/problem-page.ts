import { html } from 'ghtml';

import type { Surface } from '../../foundation/http/surface.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import { sentenceOf } from '../../foundation/problem.ts';
import { layout } from '../shell/frame.ts';
import { pageHeaders } from '../shell/page.ts';
import type { Words } from '../shell/words/words.ts';
import type { PageContext } from './page-context.ts';

type Presenter = NonNullable<Surface['presentProblem']>;

/** An error as a page, in the language of the requested page. */
export function problemPresenter({ language, words, href }: PageContext): Presenter {
  return (error, problem) => {
    const { title, text } = titleAndText(error, words);
    const main = html`<h1>${title}</h1>
      <p>${text}</p>
      <p><a href="${href('/')}">${words.problem.home}</a></p>
      <p class="hint">${words.problem.request} <code>${String(problem.headers['x-request-id'])}</code></p>`;
    const page = layout({ title, main, language, href, path: null, width: 'column' });
    return {
      ...problem,
      headers: { ...problem.headers, ...pageHeaders("'self'"), 'content-type': 'text/html; charset=utf-8' },
      body: Buffer.from(page),
    };
  };
}

function titleAndText(
  error: ProblemError,
  { problem, item }: Words,
): { readonly title: string; readonly text: string } {
  const { kind } = error.definition;
  if (kind === 'not-found') return { title: problem.notFound, text: problem.notFoundText };
  if (kind === 'gone') return { title: problem.gone, text: item.withdrawnText };
  if (kind === 'limited') return { title: problem.limited, text: problem.limitedText };
  if (kind === 'unavailable' || kind === 'internal')
    return { title: problem.unavailable, text: problem.unavailableText };
  return { title: problem.other, text: sentenceOf(error) };
}
