import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { callers } from '../../../access/index.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration, RouteInput } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import { pageHeaders } from '../../shell/page.ts';
import { inLanguage } from '../../shell/words/say.ts';
import { languageOf, visitorOf } from '../visitor.ts';
import type { DeskTools, DeskVisit } from './desk-frame.ts';
import { enterDesk } from './desk-frame.ts';
import { findingText } from './finding-text.ts';

const Findings = Type.Object({ findings: Type.Array(Type.String()) });

interface CheckRoute<Params extends TObject, Body extends TObject> {
  /** Of the form, followed by `/check`. */
  readonly path: string;
  readonly operationId: string;
  readonly params: Params;
  /** Of the form. */
  readonly body: Body;
  /** The facts of the typed text that its sources do not support. */
  readonly check: (
    visit: DeskVisit,
    sent: Pick<RouteInput<Params, undefined, Body>, 'params' | 'body'>,
  ) => Promise<readonly string[]>;
}

/** The check of a form while it is filled in. Without script, the form is checked when it is sent. */
export function checkRoute<Params extends TObject, Body extends TObject>(
  tools: DeskTools,
  { path, operationId, params, body, check }: CheckRoute<Params, Body>,
): RouteDeclaration {
  return defineRoute<Params, undefined, Body>({
    method: 'POST',
    path,
    surface: tools.forms,
    operationId,
    tag: 'pages',
    summary: 'The facts of the typed text that its sources do not support.',
    params,
    body,
    bodyFormat: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 200: { description: 'Empty if they support all of it.', schema: Findings } },
    problems: [forbidden, notFound],
    handle: async (input) => {
      const { request, reply } = input;
      const visitor = await visitorOf(tools.identity, request);
      if (visitor === null) throw callers.notFoundOrHidden();
      return inLanguage(languageOf(tools.identity, request), async () => {
        const findings = await check(await enterDesk(tools, visitor), input);
        return reply
          .headers(pageHeaders("'self'"))
          .header('cache-control', 'no-store')
          .send({ findings: findings.map(findingText) });
      });
    },
  });
}
