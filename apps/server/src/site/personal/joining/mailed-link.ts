import { html } from 'ghtml';
import { Type } from 'typebox';

import { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { notice } from '../../shell/form-controls.ts';
import type { PersonalPage } from '../personal-route.ts';

/** As a mail program passes it on: what it has made of the address is answered by a page that helps. */
const token = Type.Optional(Type.String({ maxLength: 200 }));

export const LinkQuery = Type.Object({ token }, { additionalProperties: false });
/** In the body, so that the address of what follows carries no secret. */
export const LinkBody = Type.Object({ token }, { additionalProperties: false });
export const linkToken = token;

/** What is known of a link, or the problem that it is not good any more. */
export function requireLink<Known>(known: Known | null): Known {
  if (known !== null) return known;
  throw new ProblemError(useCases.invalidLink, 'the link was used before, or is too old');
}

/** `next` is HTML: how to get another. */
export function deadLinkPage(next: string): PersonalPage {
  return {
    title: 'This link does not work any more',
    main: html`<h1>This link does not work any more</h1>
      !${notice('bad', 'A link in a mail works once and for a limited time. This one was used before, is too old, or was cut short on its way.')}
      <p>!${next}</p>`,
  };
}

export function mailSentPage(main: string): PersonalPage {
  return {
    title: 'Look into your mail',
    main: html`<h1>Look into your mail</h1>
      !${main}
      <p class="hint">Nothing there after a few minutes? Look where unwanted mail goes, then ask again.</p>`,
  };
}
