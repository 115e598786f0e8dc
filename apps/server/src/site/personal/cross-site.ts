import type { FastifyRequest } from 'fastify';

import type { ProblemDefinition } from '../../foundation/problem.ts';
import { ProblemError } from '../../foundation/problem.ts';

export const crossSiteRequest: ProblemDefinition = {
  code: 'cross_site_request',
  kind: 'forbidden',
  title: 'Sent from another site',
  explanation:
    'A form of Daybook was sent from a page that is not its own, or by a browser that does not say from where. Open the page here and send it again.',
};

/**
 * Every browser says where a form was sent from, and no page can make it lie: Sec-Fetch-Site, or Origin where that is
 * not sent (plain HTTP on another host than localhost). A neighbour on the same site, or on another port of localhost, is
 * another site too. What says neither is no browser.
 */
export function refuseCrossSite(origins: ReadonlySet<string>): (request: FastifyRequest) => Promise<void> {
  return async ({ headers }) => {
    const site = headers['sec-fetch-site'];
    const ours = site === undefined ? origins.has(headers.origin ?? '') : site === 'same-origin';
    if (!ours) throw new ProblemError(crossSiteRequest, 'this form was not sent from our own page');
  };
}
