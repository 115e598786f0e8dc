import type { editions } from '../record/index.ts';
import { publicPaths } from '../record/index.ts';

/** All public addresses: pages for people, and API addresses for references in responses. */
export interface Addresses {
  readonly baseUrl: string;
  readonly item: (id: string) => string;
  readonly story: (publicId: string) => string;
  readonly storyApi: (publicId: string) => string;
  readonly edition: (edition: editions.EditionKey) => string;
}

export const apiPath = '/api/v1';
export const mcpPath = '/mcp';
export const skillPath = '/agent/skill/';

export function createAddresses(baseUrl: string): Addresses {
  return {
    baseUrl,
    item: (id) => `${baseUrl}${publicPaths.itemPath(id)}`,
    story: (publicId) => `${baseUrl}${publicPaths.storyPath(publicId)}`,
    storyApi: (publicId) => `${baseUrl}${storyApiPath(publicId)}`,
    edition: (edition) => `${baseUrl}${publicPaths.editionPath(edition)}`,
  };
}

export function storyApiPath(publicId: string): string {
  return `${apiPath}/stories/${publicId}`;
}
