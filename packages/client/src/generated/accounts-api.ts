/* Written by `npm run client:types` from docs/openapi-accounts.json. */

export interface AccountsOperations {
  createToken: {
    params: {};
    body: PasswordGrant;
    data: TokenResponse;
  };
  refreshToken: {
    params: {};
    body: RefreshGrant;
    data: TokenResponse;
  };
  exchangeCode: {
    params: {};
    body: ExchangeGrant;
    data: TokenResponse;
  };
  revokeToken: {
    params: {};
    body: RefreshGrant;
    data: Success;
  };
  createApiKey: {
    params: {};
    body: NewApiKey;
    data: CreatedApiKey;
  };
  listApiKeys: {
    params: {};
    data: ApiKey[];
  };
  revokeApiKey: {
    params: {
      /**
       * The id of the key, not its secret.
       */
      key_id: string;
    };
    data: Success;
  };
  getMe: {
    params: {};
    data: Me;
  };
  getKeySet: {
    params: {};
    data: KeySet;
  };
  getAvatar: {
    params: {
      id: string;
    };
    data: Response;
  };
  getAccountsDescription: {
    params: {};
    data: {
      openapi: string;
    };
  };
}
export interface PasswordGrant {
  email: string;
  password: string;
  /**
   * Required with two-factor authentication: the 6-digit code of the authenticator app, or a recovery code. Each code works once.
   */
  one_time_code?: string;
}
export interface TokenResponse {
  /**
   * JWT (ES256), valid for one hour.
   */
  access_token: string;
  /**
   * Valid once, for 30 days. Always store the latest.
   */
  refresh_token: string;
  /**
   * Seconds until the access token expires; refresh at about 3300.
   */
  expires_in: number;
  user: User;
}
export interface User {
  id: string;
  email: string;
  name: string;
  /**
   * URL of the picture; a generated picture by default.
   */
  image: string;
  /**
   * The current organization.
   */
  organizationId: string;
  /**
   * Role in the current organization: owner, admin, member, viewer or guest.
   */
  role: string;
  workspaces: {
    workspaceId: string;
    workspaceName: string;
    role: string;
  }[];
}
export interface RefreshGrant {
  refresh_token: string;
}
export interface ExchangeGrant {
  /**
   * The code from the callback URL.
   */
  code: string;
  /**
   * The verifier of code_challenge, if the sign-in URL had one (RFC 7636, S256).
   */
  code_verifier?: string;
}
export interface Success {
  success: boolean;
}
export interface NewApiKey {
  /**
   * Purpose of the key.
   */
  name: string;
  /**
   * Limits the key to these organizations.
   */
  scopes?: {
    /**
     * @minItems 1
     * @maxItems 100
     */
    organizations: string[];
  };
  /**
   * A time in the future. Omit for a key that does not expire.
   */
  expiresAt?: string | null;
  /**
   * Permissions of the key: reading (`read_only`) or the listed permissions. A key never has more permissions than you. Absent if the key has all your permissions.
   */
  permissions?: 'read_only' | KeyPermission[];
}
/**
 * Actions and resources of one organization, as in a policy.
 */
export interface KeyPermission {
  /**
   * @minItems 1
   * @maxItems 20
   */
  actions: string[];
  /**
   * @minItems 1
   * @maxItems 20
   */
  resources: string[];
}
export interface CreatedApiKey {
  id: string;
  name: string;
  createdAt: string;
  /**
   * Null if it does not expire.
   */
  expiresAt: string | null;
  /**
   * Accurate to the minute.
   */
  lastUsedAt: string | null;
  /**
   * Absent if the key is valid for all organizations.
   */
  scopes?: {
    organizations: string[];
  };
  /**
   * Permissions of the key: reading (`read_only`) or the listed permissions. A key never has more permissions than you. Absent if the key has all your permissions.
   */
  permissions?: 'read_only' | KeyPermission[];
  /**
   * `active` if the key is neither revoked nor expired.
   */
  status: string;
  /**
   * Returned only once.
   */
  key: string;
}
export interface ApiKey {
  id: string;
  name: string;
  createdAt: string;
  /**
   * Null if it does not expire.
   */
  expiresAt: string | null;
  /**
   * Accurate to the minute.
   */
  lastUsedAt: string | null;
  /**
   * Absent if the key is valid for all organizations.
   */
  scopes?: {
    organizations: string[];
  };
  /**
   * Permissions of the key: reading (`read_only`) or the listed permissions. A key never has more permissions than you. Absent if the key has all your permissions.
   */
  permissions?: 'read_only' | KeyPermission[];
  /**
   * `active` if the key is neither revoked nor expired.
   */
  status: string;
}
export interface Me {
  user: OwnUser;
  credential: Credential;
}
export interface OwnUser {
  id: string;
  email: string;
  name: string;
  /**
   * URL of the picture; a generated picture by default.
   */
  image: string;
  /**
   * The current organization.
   */
  organizationId: string;
  /**
   * Role in the current organization: owner, admin, member, viewer or guest.
   */
  role: string;
  workspaces: {
    workspaceId: string;
    workspaceName: string;
    role: string;
  }[];
  /**
   * `{username}` in paths of the platform API.
   */
  username: string;
  /**
   * All organizations of the account, in the order of joining.
   */
  organizations: OwnOrganization[];
}
export interface OwnOrganization {
  id: string;
  /**
   * `platform_key` or `{org}` of the platform API.
   */
  platform_key: string;
  name: string;
  /**
   * owner, admin, member, viewer or guest.
   */
  role: string;
}
export interface Credential {
  type: 'jwt' | 'api_key';
  /**
   * Id of the session or API key.
   */
  id: string;
  /**
   * Name of the API key.
   */
  name?: string;
  /**
   * Absent if the key is valid for all organizations.
   */
  scopes?: {
    organizations: string[];
  };
  /**
   * Permissions of the key: reading (`read_only`) or the listed permissions. A key never has more permissions than you. Absent if the key has all your permissions.
   */
  permissions?: 'read_only' | KeyPermission[];
}
export interface KeySet {
  keys: {
    kty: string;
    crv: string;
    x: string;
    y: string;
    kid: string;
    alg: string;
    use: string;
  }[];
}
/**
 * The body of every error response. Fields may be added.
 *
 * This interface was referenced by `AccountsOperations`'s JSON-Schema
 * via the `definition` "Problem".
 */
export interface Problem {
  /**
   * URL of a page that explains the code.
   */
  type: string;
  /**
   * The same for every occurrence of the code.
   */
  title: string;
  status: number;
  /**
   * Explanation of this occurrence.
   */
  detail: string;
  /**
   * Stable error code. Use it to handle errors.
   */
  code: string;
  /**
   * Equal to X-Request-Id. Include it when you contact support.
   */
  requestId: string;
  /**
   * Seconds to wait, as in Retry-After.
   */
  retryAfter?: number;
  /**
   * Invalid parameters and fields.
   */
  errors?: {
    in: 'query' | 'path' | 'header' | 'body';
    name: string;
    message: string;
  }[];
}

export const accountsOperations = {
  createToken: 'POST /api/auth/token',
  refreshToken: 'POST /api/auth/token/refresh',
  exchangeCode: 'POST /api/auth/token/exchange',
  revokeToken: 'POST /api/auth/token/revoke',
  createApiKey: 'POST /api/v1/api-keys',
  listApiKeys: 'GET /api/v1/api-keys',
  revokeApiKey: 'DELETE /api/v1/api-keys/{key_id}',
  getMe: 'GET /api/v1/me',
  getKeySet: 'GET /.well-known/jwks.json',
  getAvatar: 'GET /avatars/{id}.svg content',
  getAccountsDescription: 'GET /openapi-accounts.json',
} as const satisfies Record<keyof AccountsOperations, string>;
