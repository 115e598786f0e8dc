import type { FastifyRequest } from 'fastify';

import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';

export const crossSiteRequest: ProblemDefinition = {
  code: 'cross_site_request',
  kind: 'forbidden',
  title: 'Cross-site request',
  explanation:
    'The form was submitted from another site, or the browser did not send its origin. Open the page on Daybook and submit the form again.',
};

/**
 * Every browser reports the origin of a form, and no page can change it: Sec-Fetch-Site, or Origin where that is not sent
 * (plain HTTP on another host than localhost). Another host on the same site, or another port of localhost, is another
 * site too. A client that sends neither is no browser.
 */
export function refuseCrossSite(origins: ReadonlySet<string>): (request: FastifyRequest) => Promise<void> {
  return async ({ headers }) => {
    const site = headers['sec-fetch-site'];
    const ours = site === undefined ? origins.has(headers.origin ?? '') : site === 'same-origin';
    if (!ours)
      throw new ProblemError(crossSiteRequest, 'The form was not submitted from a page of this site.');
  };
}
