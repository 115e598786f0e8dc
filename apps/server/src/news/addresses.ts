/** Where things are, in one place: pages for people, and the API for whoever follows a reference. */
export interface Addresses {
  readonly baseUrl: string;
  readonly item: (id: string) => string;
  readonly story: (publicId: string) => string;
  readonly storyApi: (publicId: string) => string;
  readonly report: (kind: ReportKind, period: string) => string;
}

export type ReportKind = 'daily' | 'weekly' | 'monthly';

export const apiPath = '/api/v1';

export function createAddresses(baseUrl: string): Addresses {
  return {
    baseUrl,
    item: (id) => `${baseUrl}/items/${id}`,
    story: (publicId) => `${baseUrl}/story/${publicId}`,
    storyApi: (publicId) => `${baseUrl}${storyApiPath(publicId)}`,
    report: (kind, period) => `${baseUrl}/${kind}/${period}`,
  };
}

export function storyApiPath(publicId: string): string {
  return `${apiPath}/stories/${publicId}`;
}
