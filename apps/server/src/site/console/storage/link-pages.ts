import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { conflict, notFound, rateLimited } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { isoMilliseconds } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { links, problems as storageProblems } from '../../../storage/index.ts';
import { field, form, instant, notice, problemNotice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { buttonLink, facts } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineForm, definePersonalPage } from '../console-route.ts';
import type { StorageTools } from './storage-frame.ts';
import { readableSize } from './storage-frame.ts';

const SecretParams = Type.Object({ secret: Type.String({ maxLength: 100 }) });
const PasswordForm = closedObject({ password: Type.String({ maxLength: 1_024 }) });

/** The page of a link, for people without an account. Nothing of the content is shown before the password. */
export function linkPages(tools: StorageTools): readonly RouteDeclaration[] {
  const path = links.sharedPagePath('{secret}');
  return [
    definePersonalPage(tools, {
      path,
      operationId: 'showSharedLink',
      params: SecretParams,
      problems: [notFound],
      show: async ({ params: { secret }, client, reply }) => {
        reply.headers(links.unlisted);
        try {
          return detailsPage(secret, await links.describeLink(tools.files, { secret, client }));
        } catch (error) {
          const isClosed =
            error instanceof ProblemError && error.definition === storageProblems.linkPasswordRequired;
          if (isClosed) return passwordPage(secret, null);
          throw error;
        }
      },
    }),
    defineForm(tools, {
      path,
      operationId: 'openSharedLink',
      params: SecretParams,
      body: PasswordForm,
      problems: [storageProblems.wrongLinkPassword, notFound, conflict, rateLimited],
      show: async ({ params: { secret }, body, client, reply }) => {
        reply.headers(links.unlisted);
        const { ticket } = await links.enterLinkPassword(tools.files, { secret, ...body });
        return detailsPage(secret, await links.describeLink(tools.files, { secret, ticket, client }), ticket);
      },
      refused: async ({ params: { secret } }, problem) => {
        if (problem.definition === notFound) throw problem;
        return passwordPage(secret, problem);
      },
    }),
  ];
}

function passwordPage(secret: string, problem: ProblemError | null): PersonalPage {
  const fields = field({
    name: 'password',
    label: say('Password'),
    type: 'password',
    autocomplete: 'off',
    maxLength: 1_024,
    problem,
  });
  return {
    title: say('Shared with you'),
    main: html`<h1>${say('Shared with you')}</h1>
      !${problemNotice(problem)}
      <p class="lead">${say('This link is protected by a password. Ask the sender for it.')}</p>
      !${form({ action: links.sharedPagePath(secret), submit: say('Open'), fields })}`,
  };
}

function detailsPage(
  secret: string,
  { link, name, size, scanState, isReadable }: links.LinkDetails,
  ticket?: string,
): PersonalPage {
  const query = ticket === undefined ? '' : `?ticket=${encodeURIComponent(ticket)}`;
  const href = links.sharedPath(link.kind, secret) + query;
  const label = link.kind === 'file' ? say('Download') : say('Download as zip');
  return {
    title: name,
    main: html`<h1>${name}</h1>
      !${facts([
        [say('Type'), html`${link.kind === 'file' ? say('File') : say('Folder')}`],
        [say('Size'), size === null ? '' : html`${readableSize(size)}`],
        [say('Shared by'), html`${link.maker.username}`],
        [say('Expires'), instant(isoMilliseconds(link.expiresAt))],
      ])}
      !${isReadable ? html`<p>!${buttonLink({ href, label, kind: 'primary' })}</p>` : notice('bad', html`<p>${whyNot(scanState)}</p>`)}
      <p class="hint">
        ${say('This content belongs to another person. Open it only if you trust the sender. The link can be revoked at any time.')}
      </p>`,
  };
}

function whyNot(scanState: links.LinkDetails['scanState']): string {
  if (scanState === 'infected') return say('The malware scanner has blocked this file.');
  if (scanState === 'waiting')
    return say('The file has not been scanned for malware yet. Try again in a minute.');
  return scanState === null
    ? say('The folder is too large to download. Ask the sender to share a part of it.')
    : say('The malware scanner could not read this file, so it cannot be downloaded.');
}
