import { html } from 'ghtml';
import { Type } from 'typebox';

import { closedObject } from '../../../foundation/closed-object.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { notice } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import type { PersonalPage } from '../console-route.ts';

/** As received from a mail program: an address that it altered gets a page that helps. */
const token = Type.Optional(Type.String({ maxLength: 200 }));

export const LinkQuery = closedObject({ token });
/** In the body, so that the address of the next page contains no secret. */
export const LinkBody = closedObject({ token });
export const linkToken = token;

/** The data of a link, or the problem that it is no longer valid. */
export function requireLink<Known>(known: Known | null): Known {
  if (known !== null) return known;
  throw new ProblemError(useCases.invalidLink, say('The link has expired or was already used.'));
}

/** `next` is HTML: how to get another link. */
export function deadLinkPage(next: string): PersonalPage {
  return {
    title: say('This link is no longer valid'),
    main: html`<h1>${say('This link is no longer valid')}</h1>
      !${notice('bad', say('The link has expired, was already used or is incomplete. Links in e-mails work once and for a limited time.'))}
      <p>!${next}</p>`,
  };
}

export function mailSentPage(main: string): PersonalPage {
  return {
    title: say('Check your e-mail'),
    main: html`<h1>${say('Check your e-mail')}</h1>
      !${main}
      <p class="hint">${say('No e-mail after a few minutes? Check your spam folder, then try again.')}</p>`,
  };
}
