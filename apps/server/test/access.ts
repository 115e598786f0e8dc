import type { OrganizationId, Role } from '../src/identity/accounts/account.ts';
import type { IdentitySettings } from '../src/identity/identity.ts';
import { insertMemberships } from '../src/identity/organizations/organization-store.ts';
import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';
import type { TestAccount, TestIdentity, TestIdentityOptions } from './identity.ts';
import { startTestIdentity } from './identity.ts';

export interface TestMember extends TestAccount {
  readonly headers: Headers;
}

type Headers = Readonly<Record<string, string>>;

export interface TestOrganization {
  readonly id: OrganizationId;
  readonly key: string;
  readonly owner: TestMember;
  readonly addMember: (role: Role) => Promise<TestMember>;
}

export interface TestAccess extends TestIdentity {
  readonly createOrganization: () => Promise<TestOrganization>;
  readonly send: (method: string, path: string, headers: Headers, json?: unknown) => Promise<Answer>;
  /** Advances the clock past the age of every cache. */
  readonly age: () => void;
}

/** The platform over HTTP on a separate database, with a clock that the test moves. */
export async function startTestAccess(
  settings: {
    readonly credentialRequestsPerMinute?: number;
    readonly authUrl?: string;
    readonly baseUrl?: string;
    readonly bucket?: TestIdentity['bucket'];
    readonly files?: NonNullable<TestIdentityOptions['files']>;
    readonly openId?: IdentitySettings['openId'];
    /** With the pages that a browser opens. */
    readonly pages?: boolean;
    readonly mcp?: boolean;
    /** With the public pages too. */
    readonly site?: boolean;
    readonly newsroomOrganization?: string;
    readonly newsroomFetcher?: NonNullable<TestIdentityOptions['newsroomFetcher']>;
    readonly answerModels?: NonNullable<TestIdentityOptions['answerModels']>;
  } = {},
): Promise<TestAccess> {
  const stage = await startTestIdentity({ credentialRequestsPerMinute: 1_000_000, ...settings });
  const signedIn = async (account: TestAccount): Promise<TestMember> => {
    const { access_token } = await stage.signIn(account);
    return { ...account, headers: { authorization: `Bearer ${access_token}` } };
  };
  return {
    ...stage,
    createOrganization: async () => {
      const account = await stage.createAccount();
      const { user } = await stage.signIn(account);
      const id = user.organizationId as OrganizationId;
      const [row] = await stage.database.asSuperuser('SELECT key FROM identity.organization WHERE id = $1', [
        id,
      ]);
      return {
        id,
        key: String(row?.['key']),
        owner: await signedIn(account),
        addMember: async (role) => {
          const member = await stage.createAccount();
          const membership = { accountId: member.id, organizationId: id, role, createdAt: stage.clock.now() };
          await insertMemberships(stage.identity.database, membership);
          return signedIn(member);
        },
      };
    },
    send: (method, path, headers, json) =>
      ask(stage.app.port, path, { method, headers, ...(json === undefined ? {} : { json }) }),
    age: () => stage.clock.advance({ milliseconds: 900 }),
  };
}
