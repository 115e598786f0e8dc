import { Readable } from 'node:stream';

import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { internal } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { defineRoute } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { credentials, useCases } from '../../../identity/index.ts';
import { contents } from '../../../storage/index.ts';
import { problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage, PersonalTools } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import { visitorOf } from '../visitor.ts';
import { writeAccountExport } from './account-export.ts';
import { accountPage } from './account-frame.ts';
import { deletionPath } from './deletion-pages.ts';
import { ProofForm, guardedForm, proofOf } from './guarded-form.ts';
import { asWrongPassword } from './password-pages.ts';

const path = '/account/data';
const exportPath = `${path}/export`;

/** Download of all data of an account. */
export function dataPages(tools: PersonalTools): readonly RouteDeclaration[] {
  return [
    defineMemberPage(tools, {
      path,
      operationId: 'showData',
      show: async ({ visitor }) => dataPage(tools, visitor),
    }),
    defineMemberForm(tools, {
      path: exportPath,
      operationId: 'requestExport',
      // Requires the password: it counts as an attempt at the sign-in form, in the same window.
      surface: tools.signInForms,
      body: ProofForm,
      problems: useCases.proofProblems,
      show: async ({ visitor, body, client }) => {
        const ticket = await useCases.requestExport(tools.identity, { ...proofOf(visitor, body), client });
        return { to: `${exportPath}?ticket=${ticket}` };
      },
      refused: async ({ visitor }, problem) => dataPage(tools, visitor, asWrongPassword(problem)),
    }),
    downloadRoute(tools),
  ];
}

const ownerOf = ({ account, sessionId }: Visitor) => ({ accountId: account.id, sessionId });

function downloadRoute({ identity, pages }: PersonalTools): RouteDeclaration {
  return defineRoute({
    method: 'GET',
    path: exportPath,
    surface: pages,
    operationId: 'downloadExport',
    tag: 'pages',
    summary: 'Download the data of the account as one JSON document.',
    query: closedObject({ ticket: Type.Optional(Type.String({ maxLength: 1_024 })) }),
    stream: contents.contentStream,
    responses: {
      200: {
        description: 'The document.',
        schema: Type.String({ format: 'binary' }),
        contentType: 'application/json',
      },
      303: { description: 'Request the download first.' },
    },
    problems: [internal],
    handle: async ({ query: { ticket = '' }, request, reply }) => {
      reply.header('cache-control', 'no-store');
      const visitor = await visitorOf(identity, request);
      const client = credentials.clientOf(request);
      const good =
        visitor !== null &&
        (await useCases.useExportTicket(identity, ticket, { ...ownerOf(visitor), client }));
      if (!good) return reply.code(303).header('location', path).send();
      const { account } = visitor;
      return reply
        .headers({
          'content-type': 'application/json',
          'content-disposition': `attachment; filename="daybook-${account.username}.json"`,
        })
        .send(Readable.from(writeAccountExport(identity, account), { objectMode: false }));
    },
  });
}

async function dataPage(
  tools: PersonalTools,
  visitor: Visitor,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const question = await guardedForm(tools, visitor, {
    guards: 'export_account',
    page: path,
    action: exportPath,
    submit: say('Download my data'),
    problem,
  });
  return accountPage(visitor, path, {
    title: say('Your data'),
    main: html`<h2>${say('Download your data')}</h2>
      <p>
        ${say('Download a JSON file with the data we store about you: profile and picture, organizations and groups, sessions, names of API keys and passkeys, e-mail subscriptions, the tokens, agents and files that you created, and your activity. The file contains no secrets and no file contents.')}
      </p>
      !${problemNotice(problem)} !${question}
      <h2>${say('Delete account')}</h2>
      <p>
        ${say('Your account is deleted 30 days after you request it. Signing in before then cancels the deletion.')}
      </p>
      <p><a class="danger" href="${deletionPath}">${say('Delete account')}</a></p>`,
  });
}
