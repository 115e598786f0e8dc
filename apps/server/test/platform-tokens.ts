import { expect } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from './access.ts';
import type { Answer } from './http-client.ts';

type Headers = Readonly<Record<string, string>>;

export const tokensPath = '/dm/api/core/platform/api-tokens/';

/** Helpers for tests of platform tokens in one organization. */
export interface TokenDesk {
  readonly body: (who: TestMember, fields?: object) => Record<string, unknown>;
  readonly create: (who: TestMember, fields?: object) => Promise<Answer>;
  /** Its name and its request headers. */
  readonly made: (who: TestMember, fields?: object) => Promise<MadeToken>;
  readonly read: (headers: Headers, name: string) => Promise<Answer>;
  readonly change: (headers: Headers, name: string, json: unknown) => Promise<Answer>;
  readonly remove: (headers: Headers, name: string) => Promise<Answer>;
  readonly list: (headers: Headers) => Promise<Answer>;
  /** The number of a new policy; resources continue the organization's own path. */
  readonly policy: (actions: readonly string[], rests: readonly string[]) => Promise<number>;
  readonly group: (relations: object) => Promise<number>;
  /** The response to a credential that may read policies. */
  readonly policies: (headers: Headers) => Promise<Answer>;
}

export interface MadeToken {
  readonly name: string;
  readonly secret: string;
  readonly headers: Headers;
}

export function openTokenDesk(stage: TestAccess, { key, owner }: TestOrganization): TokenDesk {
  let named = 0;
  const body: TokenDesk['body'] = ({ username }, fields = {}) => ({
    username,
    name: `token-${(named += 1)}`,
    key: '',
    platform_key: key,
    created: '2026-11-15T00:00:00Z',
    expires: '',
    ...fields,
  });
  const create: TokenDesk['create'] = (who, fields) =>
    stage.send('POST', tokensPath, who.headers, body(who, fields));
  const at = (name: string): string => `${tokensPath}${encodeURIComponent(name)}?platform_key=${key}`;
  const numberOf = (answer: Answer): number => {
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    return answer.json()['id'] as number;
  };
  return {
    body,
    create,
    made: async (who, fields) => {
      const answer = await create(who, fields);
      expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      const { name, key: secret } = answer.json() as { name: string; key: string };
      return { name, secret, headers: { authorization: `Api-Token ${secret}` } };
    },
    read: (headers, name) => stage.send('GET', at(name), headers),
    change: (headers, name, json) => stage.send('PATCH', at(name), headers, json),
    remove: (headers, name) => stage.send('DELETE', at(name), headers),
    list: (headers) => stage.send('GET', `${tokensPath}?platform_key=${key}`, headers),
    policy: async (actions, rests) =>
      numberOf(
        await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, {
          platform_key: key,
          name: `policy ${(named += 1)}`,
          actions,
          resources: rests.map((rest) => `/organizations/${key}${rest}`),
        }),
      ),
    group: async (relations) =>
      numberOf(
        await stage.send('POST', '/dm/api/core/rbac/groups/', owner.headers, {
          platform_key: key,
          name: `group ${(named += 1)}`,
          ...relations,
        }),
      ),
    policies: (headers) => stage.send('GET', `/dm/api/core/rbac/policies/?platform_key=${key}`, headers),
  };
}
