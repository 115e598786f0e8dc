/* Written by `npm run client:types` from docs/openapi-platform.json. */

export interface PlatformOperations {
  listPlatformTokens: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: PlatformToken[];
  };
  createPlatformToken: {
    params: {};
    body: NewPlatformToken;
    data: CreatedPlatformToken;
  };
  readFieldPermissions: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: FieldPermissions;
  };
  readPlatformToken: {
    params: {
      /**
       * The name of the token.
       */
      name: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: PlatformTokenDetail;
  };
  changePlatformToken: {
    params: {
      /**
       * The name of the token.
       */
      name: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    body: PlatformTokenChange;
    data: PlatformTokenDetail;
  };
  removePlatformToken: {
    params: {
      /**
       * The name of the token.
       */
      name: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listPolicies: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Part of the name, not case-sensitive.
       */
      query?: string;
    };
    data: Policies;
  };
  createPolicy: {
    params: {};
    body: NewPolicy;
    data: Policy;
  };
  readPolicy: {
    params: {
      policy_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: Policy;
  };
  changePolicy: {
    params: {
      policy_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    body: PolicyChange;
    data: Policy;
  };
  removePolicy: {
    params: {
      policy_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listGroups: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Part of the name, not case-sensitive.
       */
      query?: string;
    };
    data: Groups;
  };
  createGroup: {
    params: {};
    body: NewGroup;
    data: GroupDetail;
  };
  readGroup: {
    params: {
      group_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: GroupDetail;
  };
  changeGroup: {
    params: {
      group_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    body: GroupChange;
    data: GroupDetail;
  };
  removeGroup: {
    params: {
      group_id: number;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listOrganizations: {
    params: {
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Organizations;
  };
  createOrganization: {
    params: {};
    body: NewOrganization;
    data: OwnOrganization;
  };
  getOrganization: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: Organization;
  };
  renameOrganization: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    body: OrganizationChange;
    data: Organization;
  };
  switchOrganization: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listMembers: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Part of the name or username.
       */
      query?: string;
    };
    data: Members;
  };
  changeRole: {
    params: {
      username: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    body: RoleChange;
    data: Member;
  };
  removeMember: {
    params: {
      username: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listInvitations: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Invitations;
  };
  sendInvitation: {
    params: {};
    body: NewInvitation;
    data: Invitation;
  };
  resendInvitation: {
    params: {
      id: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: Invitation;
  };
  cancelInvitation: {
    params: {
      id: string;
      /**
       * The key of the organization.
       */
      platform_key: string;
    };
    data: null;
  };
  listAuditEvents: {
    params: {
      /**
       * The key of the organization.
       */
      platform_key: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Event kind.
       */
      kind?: string;
      /**
       * Username of the actor.
       */
      username?: string;
      /**
       * From the start of this day, in UTC.
       */
      from?: string;
      /**
       * Until the end of this day, in UTC.
       */
      to?: string;
    };
    data: AuditEvents;
  };
  createAgent: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    body: NewAgent;
    data: Agent;
  };
  searchAgents: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
      /**
       * Part of the name, display name or description, not case-sensitive.
       */
      query?: string;
      /**
       * Id of a category.
       */
      category?: string;
    };
    data: Agents;
  };
  readAgentSettings: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    data: Agent;
  };
  changeAgentSettings: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    body: AgentChange;
    data: Agent;
  };
  duplicateAgent: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    body: AgentCopy;
    data: Agent;
  };
  deleteAgent: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    data: null;
  };
  listAgentVersions: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    data: AgentVersions;
  };
  readAgentVersion: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
      number: number;
    };
    data: AgentVersion;
  };
  restoreAgentVersion: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
      number: number;
    };
    data: Agent;
  };
  listAgentCategories: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    data: AgentCategory[];
  };
  listAgentTemplates: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    data: AgentTemplate[];
  };
  createAgentTemplate: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    body: AgentTemplate;
    data: AgentTemplate;
  };
  removeAgentTemplate: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      name: string;
    };
    data: null;
  };
  askAgent: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
    };
    body: Question;
    data: Answer;
  };
  listAnswers: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
      /**
       * `nextCursor` or `prevCursor` of an earlier page of the same list. Omit to start at the first page.
       */
      cursor?: string;
      /**
       * Records per page; values above 100 count as 100.
       */
      limit?: number;
      /**
       * Toward older (`forward`) or newer (`backward`) records. Records are always sorted newest first. `backward` without a cursor starts at the oldest record.
       */
      direction?: 'forward' | 'backward';
      /**
       * Page number from 1 to 100, without a cursor. New records shift pages; prefer cursors.
       */
      page?: number;
    };
    data: Answers;
  };
  readAnswer: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
      answer_id: string;
    };
    data: Answer;
  };
  deleteAnswer: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      unique_id: string;
      answer_id: string;
    };
    data: null;
  };
  readAnswerRetention: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    data: AnswerRetention;
  };
  changeAnswerRetention: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    body: AnswerRetention;
    data: AnswerRetention;
  };
  readAgentUsage: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      agent?: string;
    };
    data: AgentUsage[];
  };
  listAgentBudgets: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    data: AgentBudget[];
  };
  changeAgentBudget: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    body: AgentBudget;
    data: AgentBudget;
  };
  createAgentSchedule: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
    };
    body: NewAgentSchedule;
    data: AgentSchedule;
  };
  listAgentSchedules: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      /**
       * Only schedules of this agent.
       */
      agent?: string;
    };
    data: AgentSchedule[];
  };
  readAgentSchedule: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      schedule_id: string;
    };
    data: AgentSchedule;
  };
  deleteAgentSchedule: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      schedule_id: string;
    };
    data: null;
  };
  runAgentSchedule: {
    params: {
      /**
       * The key of the organization.
       */
      org: string;
      /**
       * Your username, or another member's if you can act for members.
       */
      username: string;
      schedule_id: string;
    };
    data: AgentSchedule;
  };
  getPlatformDescription: {
    params: {};
    data: {
      openapi: string;
    };
  };
}
export interface PlatformToken {
  /**
   * Username of its creator.
   */
  username: string;
  name: string;
  platform_key: string;
  /**
   * Time when the server received the request.
   */
  created: string;
  /**
   * As sent: seconds, or empty.
   */
  expires: string;
  /**
   * As sent; absent if it was not sent.
   */
  expires_in?: string;
  /**
   * Null if it does not expire.
   */
  expires_at: string | null;
  /**
   * `owner`: all current permissions of its creator. `token_policies`: only the permissions of its own policies and groups.
   */
  mode: 'owner' | 'token_policies';
}
export interface NewPlatformToken {
  /**
   * Your own username.
   */
  username: string;
  /**
   * Used in URLs; unique within the organization.
   */
  name: string;
  /**
   * Must be empty: the server generates the secret.
   */
  key?: string;
  /**
   * The key of the organization.
   */
  platform_key: string;
  created: string;
  /**
   * Seconds from now, or empty for no expiry.
   */
  expires: string;
  /**
   * Seconds from now. If both are sent, they must match.
   */
  expires_in?: string;
  mode?: 'owner' | 'token_policies';
  /**
   * Policies of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  policies_to_add?: number[];
  /**
   * Policies of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  policies_to_remove?: number[];
  /**
   * Groups of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  groups_to_add?: number[];
  /**
   * Groups of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  groups_to_remove?: number[];
}
export interface CreatedPlatformToken {
  /**
   * Username of its creator.
   */
  username: string;
  name: string;
  platform_key: string;
  /**
   * Time when the server received the request.
   */
  created: string;
  /**
   * As sent: seconds, or empty.
   */
  expires: string;
  /**
   * As sent; absent if it was not sent.
   */
  expires_in?: string;
  /**
   * Null if it does not expire.
   */
  expires_at: string | null;
  /**
   * `owner`: all current permissions of its creator. `token_policies`: only the permissions of its own policies and groups.
   */
  mode: 'owner' | 'token_policies';
  /**
   * Ids of its policies; effective in `token_policies` mode.
   */
  policies: number[];
  /**
   * Ids of its groups; effective in `token_policies` mode.
   */
  groups: number[];
  /**
   * The secret. Returned only once.
   */
  key: string;
}
export interface FieldPermissions {
  mode: {
    write: boolean;
  };
  policies_to_add: {
    write: boolean;
  };
  policies_to_remove: {
    write: boolean;
  };
  groups_to_add: {
    write: boolean;
  };
  groups_to_remove: {
    write: boolean;
  };
}
export interface PlatformTokenDetail {
  /**
   * Username of its creator.
   */
  username: string;
  name: string;
  platform_key: string;
  /**
   * Time when the server received the request.
   */
  created: string;
  /**
   * As sent: seconds, or empty.
   */
  expires: string;
  /**
   * As sent; absent if it was not sent.
   */
  expires_in?: string;
  /**
   * Null if it does not expire.
   */
  expires_at: string | null;
  /**
   * `owner`: all current permissions of its creator. `token_policies`: only the permissions of its own policies and groups.
   */
  mode: 'owner' | 'token_policies';
  /**
   * Ids of its policies; effective in `token_policies` mode.
   */
  policies: number[];
  /**
   * Ids of its groups; effective in `token_policies` mode.
   */
  groups: number[];
}
export interface PlatformTokenChange {
  /**
   * `owner`: all current permissions of its creator. `token_policies`: only the permissions of its own policies and groups.
   */
  mode?: 'owner' | 'token_policies';
  /**
   * Policies of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  policies_to_add?: number[];
  /**
   * Policies of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  policies_to_remove?: number[];
  /**
   * Groups of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  groups_to_add?: number[];
  /**
   * Groups of the organization; only in `token_policies` mode.
   *
   * @maxItems 100
   */
  groups_to_remove?: number[];
}
export interface Policies {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Policy[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
/**
 * Allows all its actions on all its resources.
 */
export interface Policy {
  id: number;
  name: string;
  /**
   * `Daybook.<Area>/<Resource>[/<field>]/<verb>`; `*` matches one segment, a final `**` all remaining segments.
   *
   * @maxItems 100
   */
  actions: string[];
  /**
   * `/organizations/<key>/<kind>/<id>…`; `*` matches one segment, a final `**` everything inside.
   *
   * @maxItems 100
   */
  resources: string[];
  createdAt: string;
  updatedAt: string;
}
export interface NewPolicy {
  /**
   * The key of the organization.
   */
  platform_key: string;
  /**
   * Display name; unique within the organization. No leading or trailing spaces.
   */
  name: string;
  /**
   * `Daybook.<Area>/<Resource>[/<field>]/<verb>`; `*` matches one segment, a final `**` all remaining segments.
   *
   * @maxItems 100
   */
  actions: string[];
  /**
   * `/organizations/<key>/<kind>/<id>…`; `*` matches one segment, a final `**` everything inside.
   *
   * @maxItems 100
   */
  resources: string[];
}
export interface PolicyChange {
  /**
   * Display name; unique within the organization. No leading or trailing spaces.
   */
  name?: string;
  /**
   * `Daybook.<Area>/<Resource>[/<field>]/<verb>`; `*` matches one segment, a final `**` all remaining segments.
   *
   * @maxItems 100
   */
  actions?: string[];
  /**
   * `/organizations/<key>/<kind>/<id>…`; `*` matches one segment, a final `**` everything inside.
   *
   * @maxItems 100
   */
  resources?: string[];
}
export interface Groups {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Group[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Group {
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
}
export interface NewGroup {
  /**
   * The key of the organization.
   */
  platform_key: string;
  /**
   * Display name; unique within the organization. No leading or trailing spaces.
   */
  name: string;
  /**
   * Initial members.
   *
   * @maxItems 100
   */
  users_to_add?: string[];
  /**
   * Members to add temporarily, or whose end time changes. `users_to_add` removes the end time.
   *
   * @maxItems 100
   */
  temporary_users_to_add?: TemporaryUserToAdd[];
  /**
   * Initial policies.
   *
   * @maxItems 100
   */
  policies_to_add?: number[];
}
export interface TemporaryUserToAdd {
  username: string;
  /**
   * A time in the future, such as 2026-11-16T00:00:00Z.
   */
  ends_at: string;
}
export interface GroupDetail {
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
  /**
   * Usernames, including users whose membership has ended.
   */
  users: string[];
  /**
   * Users with a temporary membership, and the time when it ends.
   */
  temporaryUsers: TemporaryUser[];
  /**
   * Policy ids.
   */
  policies: number[];
}
export interface TemporaryUser {
  username: string;
  endsAt: string;
}
export interface GroupChange {
  /**
   * Display name; unique within the organization. No leading or trailing spaces.
   */
  name?: string;
  /**
   * Members to add.
   *
   * @maxItems 100
   */
  users_to_add?: string[];
  /**
   * Members to remove.
   *
   * @maxItems 100
   */
  users_to_remove?: string[];
  /**
   * Members to add temporarily, or whose end time changes. `users_to_add` removes the end time.
   *
   * @maxItems 100
   */
  temporary_users_to_add?: TemporaryUserToAdd[];
  /**
   * Policies to add.
   *
   * @maxItems 100
   */
  policies_to_add?: number[];
  /**
   * Policies to remove.
   *
   * @maxItems 100
   */
  policies_to_remove?: number[];
}
export interface Organizations {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: OwnOrganization[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface OwnOrganization {
  id: string;
  /**
   * The key of the organization.
   */
  platform_key: string;
  name: string;
  /**
   * Your role.
   */
  role: 'owner' | 'admin' | 'member' | 'viewer' | 'guest';
  /**
   * Time when you joined.
   */
  createdAt: string;
}
export interface NewOrganization {
  /**
   * Used in URLs and policies. Cannot be changed. 3 to 32 of a-z, 0-9, - and _.
   */
  platform_key: string;
  /**
   * Display name.
   */
  name: string;
}
export interface Organization {
  id: string;
  /**
   * The key of the organization.
   */
  platform_key: string;
  name: string;
}
export interface OrganizationChange {
  /**
   * Display name.
   */
  name: string;
}
export interface Members {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Member[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Member {
  id: string;
  username: string;
  name: string;
  role: 'owner' | 'admin' | 'member' | 'viewer' | 'guest';
  /**
   * The member's groups that you can read.
   */
  groups: {
    id: number;
    name: string;
  }[];
  /**
   * Time of joining.
   */
  createdAt: string;
  /**
   * Last activity with a session, accurate to 5 minutes.
   */
  lastSeenAt: string | null;
  /**
   * Whether the member uses one-time codes, or a passkey without a password. Present only if you can change the member's role.
   */
  hasSecondFactor?: boolean;
}
export interface RoleChange {
  role: 'owner' | 'admin' | 'member' | 'viewer' | 'guest';
}
export interface Invitations {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: Invitation[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface Invitation {
  id: string;
  email: string;
  role: 'admin' | 'member' | 'viewer' | 'guest';
  /**
   * Username of the sender.
   */
  invited_by: string;
  createdAt: string;
  expiresAt: string;
}
export interface NewInvitation {
  /**
   * The key of the organization.
   */
  platform_key: string;
  email: string;
  role: 'admin' | 'member' | 'viewer' | 'guest';
}
export interface AuditEvents {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: AuditEvent[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface AuditEvent {
  id: string;
  createdAt: string;
  /**
   * Event kind, such as `policy_updated`.
   */
  kind: string;
  /**
   * Username of the actor.
   */
  username: string | null;
  /**
   * IP address of the request.
   */
  address: string | null;
  user_agent: string | null;
  /**
   * Ids and reasons; `viaTokenId` if a token was used.
   */
  detail: {
    [k: string]: unknown;
  };
}
export interface NewAgent {
  /**
   * A template of the organization; `ai-mentor` is available by default.
   */
  template_name: string;
  new_mentor_name: string;
  display_name?: string;
  description?: string;
  system_prompt?: string;
  llm_provider?: string;
}
export interface Agent {
  /**
   * Identifies the agent in other requests.
   */
  unique_id: string;
  name: string;
  /**
   * The name as used in URLs; unique within the organization.
   */
  slug: string;
  display_name: string;
  description: string;
  /**
   * The agent's current template.
   */
  template_name: string;
  system_prompt: string;
  llm_provider: string;
  categories: string[];
  /**
   * Sources of the answers: `news`, and `files` of the organization that the member who asks can read.
   *
   * @maxItems 2
   */
  sources: ('news' | 'files')[];
  /**
   * The projects whose files the agent searches; empty: all.
   *
   * @maxItems 100
   */
  file_projects: string[];
  /**
   * A username.
   */
  created_by: string;
  created_at: string;
  updated_at: string;
}
export interface Agents {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: ListedAgent[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface ListedAgent {
  /**
   * Identifies the agent in other requests.
   */
  id: string;
  createdAt: string;
  /**
   * Identifies the agent in other requests.
   */
  unique_id: string;
  name: string;
  /**
   * The name as used in URLs; unique within the organization.
   */
  slug: string;
  display_name: string;
  description: string;
  /**
   * The agent's current template.
   */
  template_name: string;
  system_prompt: string;
  llm_provider: string;
  categories: string[];
  /**
   * Sources of the answers: `news`, and `files` of the organization that the member who asks can read.
   *
   * @maxItems 2
   */
  sources: ('news' | 'files')[];
  /**
   * The projects whose files the agent searches; empty: all.
   *
   * @maxItems 100
   */
  file_projects: string[];
  /**
   * A username.
   */
  created_by: string;
  created_at: string;
  updated_at: string;
}
export interface AgentChange {
  /**
   * Another template of the organization. Settings that match the old template change to the new one.
   */
  template_name?: string;
  display_name?: string;
  description?: string;
  system_prompt?: string;
  llm_provider?: string;
  /**
   * Ids of categories.
   *
   * @maxItems 10
   */
  categories?: string[];
  /**
   * Sources of the answers: `news`, and `files` of the organization that the member who asks can read.
   *
   * @maxItems 2
   */
  sources?: ('news' | 'files')[];
  /**
   * The projects whose files the agent searches; empty: all.
   *
   * @maxItems 100
   */
  file_projects?: string[];
}
export interface AgentCopy {
  new_mentor_name: string;
}
export interface AgentVersions {
  versions: ListedAgentVersion[];
}
export interface ListedAgentVersion {
  /**
   * Number of the version. The newest version is in effect.
   */
  number: number;
  /**
   * A username.
   */
  made_by: string;
  made_at: string;
  /**
   * The settings that differ from the previous version; empty for the oldest version.
   */
  changed: (
    | 'display_name'
    | 'description'
    | 'template_name'
    | 'system_prompt'
    | 'llm_provider'
    | 'categories'
    | 'sources'
    | 'file_projects'
  )[];
}
export interface AgentVersion {
  /**
   * Number of the version. The newest version is in effect.
   */
  number: number;
  /**
   * A username.
   */
  made_by: string;
  made_at: string;
  settings: AgentVersionSettings;
}
export interface AgentVersionSettings {
  display_name: string;
  description: string;
  /**
   * The agent's current template.
   */
  template_name: string;
  system_prompt: string;
  llm_provider: string;
  categories: string[];
  /**
   * Sources of the answers: `news`, and `files` of the organization that the member who asks can read.
   *
   * @maxItems 2
   */
  sources: ('news' | 'files')[];
  /**
   * The projects whose files the agent searches; empty: all.
   *
   * @maxItems 100
   */
  file_projects: string[];
}
export interface AgentCategory {
  id: string;
  name: string;
  description: string;
}
export interface AgentTemplate {
  name: string;
  description: string;
  system_prompt: string;
  llm_provider: string;
  /**
   * Ids of categories.
   *
   * @maxItems 10
   */
  categories: string[];
  /**
   * Whether agents with this template answer from the public record.
   */
  reads_public_record: boolean;
  /**
   * Whether agents with this template answer from files of the organization that the member who asks can read.
   */
  reads_files?: boolean;
}
export interface Question {
  question: string;
  /**
   * The id of the previous answer in the same conversation.
   */
  follows?: string | null;
}
export interface Answer {
  id: string;
  question: string;
  /**
   * The previous answer in the same conversation.
   */
  follows: string | null;
  /**
   * False if the answer has no sentences, because no source answers the question.
   */
  answered: boolean;
  /**
   * `extract`: every sentence is quoted from a source; `model`: the sentences are in the words of a language model, and the cited passage supports each.
   */
  by: 'extract' | 'model';
  /**
   * Null if no model was called. `wrote`: the model wrote the answer. Otherwise the answer consists of quotations, because the model found no answer (`silent`), its citations supported none of its sentences (`stopped`), its provider is not configured (`missing`), it failed (`failed`), took too long (`slow`), or too many answers were being written (`busy`).
   */
  model: {
    provider: string;
    outcome: 'wrote' | 'silent' | 'stopped' | 'missing' | 'failed' | 'slow' | 'busy';
  } | null;
  /**
   * When the sources were searched.
   */
  as_of: string;
  sentences: {
    text: string;
    /**
     * The language of the sentence.
     */
    lang: string | null;
    cites: {
      kind: 'item' | 'story' | 'edition' | 'file' | 'correction';
      /**
       * An item, story or file id, kind and period of a report (`daily/2026-11-15`), or language and id of a correction (`en/019a…`).
       */
      id: string;
      quote: string;
      /**
       * Version of a file.
       */
      version: number | null;
      /**
       * Offset in title, line feed and text of the source.
       */
      start: number;
      end: number;
    }[];
  }[];
  left_out: {
    /**
     * `unavailable`: the source was withdrawn or is no longer readable; `changed`: its text changed; `unanswered`: no source answers this part of the question; `unsupported`: the cited passage does not support a sentence of the model; `uncited`: a sentence of the model cites no passage.
     */
    reason: 'unavailable' | 'changed' | 'unanswered' | 'unsupported' | 'uncited';
    /**
     * The part of the question, if it is unanswered.
     */
    text: string | null;
    /**
     * What the passage does not support, if the sentence is unsupported: `number`, `name`, `word`, `role` and others.
     */
    kinds: string[];
  }[];
  sources: {
    kind: 'item' | 'story' | 'edition' | 'file' | 'correction';
    /**
     * An item, story or file id, kind and period of a report (`daily/2026-11-15`), or language and id of a correction (`en/019a…`).
     */
    id: string;
    title: string;
    url: string;
    /**
     * null for texts of Daybook and files.
     */
    publisher: string | null;
    /**
     * The day, if known.
     */
    published: string | null;
  }[];
  /**
   * Pairs of sentences, by position, that state different numbers for the same measure.
   */
  contradictions: {
    /**
     * @minItems 2
     * @maxItems 2
     */
    sentences: number[];
  }[];
  usage: {
    input_tokens: number;
    output_tokens: number;
  };
}
export interface Answers {
  /**
   * Newest first: by createdAt, then by id.
   */
  data: ListedAnswer[];
  pagination: {
    /**
     * Whether more records follow in the requested direction.
     */
    hasMore: boolean;
    /**
     * Cursor for older records, with `direction=forward`; null only on an empty page.
     */
    nextCursor: string | null;
    /**
     * Cursor for newer records, with `direction=backward`; null only on an empty page.
     */
    prevCursor: string | null;
    /**
     * Total number of records, if available.
     */
    total?: number;
  };
}
export interface ListedAnswer {
  createdAt: string;
  id: string;
  question: string;
  /**
   * The previous answer in the same conversation.
   */
  follows: string | null;
  /**
   * False if the answer has no sentences, because no source answers the question.
   */
  answered: boolean;
  /**
   * `extract`: every sentence is quoted from a source; `model`: the sentences are in the words of a language model, and the cited passage supports each.
   */
  by: 'extract' | 'model';
  /**
   * Null if no model was called. `wrote`: the model wrote the answer. Otherwise the answer consists of quotations, because the model found no answer (`silent`), its citations supported none of its sentences (`stopped`), its provider is not configured (`missing`), it failed (`failed`), took too long (`slow`), or too many answers were being written (`busy`).
   */
  model: {
    provider: string;
    outcome: 'wrote' | 'silent' | 'stopped' | 'missing' | 'failed' | 'slow' | 'busy';
  } | null;
  /**
   * When the sources were searched.
   */
  as_of: string;
  sentences: {
    text: string;
    /**
     * The language of the sentence.
     */
    lang: string | null;
    cites: {
      kind: 'item' | 'story' | 'edition' | 'file' | 'correction';
      /**
       * An item, story or file id, kind and period of a report (`daily/2026-11-15`), or language and id of a correction (`en/019a…`).
       */
      id: string;
      quote: string;
      /**
       * Version of a file.
       */
      version: number | null;
      /**
       * Offset in title, line feed and text of the source.
       */
      start: number;
      end: number;
    }[];
  }[];
  left_out: {
    /**
     * `unavailable`: the source was withdrawn or is no longer readable; `changed`: its text changed; `unanswered`: no source answers this part of the question; `unsupported`: the cited passage does not support a sentence of the model; `uncited`: a sentence of the model cites no passage.
     */
    reason: 'unavailable' | 'changed' | 'unanswered' | 'unsupported' | 'uncited';
    /**
     * The part of the question, if it is unanswered.
     */
    text: string | null;
    /**
     * What the passage does not support, if the sentence is unsupported: `number`, `name`, `word`, `role` and others.
     */
    kinds: string[];
  }[];
  sources: {
    kind: 'item' | 'story' | 'edition' | 'file' | 'correction';
    /**
     * An item, story or file id, kind and period of a report (`daily/2026-11-15`), or language and id of a correction (`en/019a…`).
     */
    id: string;
    title: string;
    url: string;
    /**
     * null for texts of Daybook and files.
     */
    publisher: string | null;
    /**
     * The day, if known.
     */
    published: string | null;
  }[];
  /**
   * Pairs of sentences, by position, that state different numbers for the same measure.
   */
  contradictions: {
    /**
     * @minItems 2
     * @maxItems 2
     */
    sentences: number[];
  }[];
  usage: {
    input_tokens: number;
    output_tokens: number;
  };
}
export interface AnswerRetention {
  keep_days: number;
}
export interface AgentUsage {
  scope: 'organization' | 'agent' | 'member';
  /**
   * Period of the UTC calendar.
   */
  period: 'minute' | 'day' | 'month';
  renews_at: string;
  calls: number;
  /**
   * Reserved and used amounts. A call in progress counts with its maximum.
   */
  tokens: number;
  cost: number;
  /**
   * Input and output tokens together; null: no limit.
   */
  tokens_max: number | null;
  /**
   * In millionths of the currency of the prices; null: no limit.
   */
  cost_max: number | null;
}
export interface AgentBudget {
  scope: 'organization' | 'agent' | 'member';
  /**
   * The id of an agent or account; null: every agent or member without a budget of its own, or the organization.
   */
  subject: string | null;
  /**
   * Period of the UTC calendar.
   */
  period: 'minute' | 'day' | 'month';
  /**
   * Input and output tokens together; null: no limit.
   */
  tokens_max: number | null;
  /**
   * In millionths of the currency of the prices; null: no limit.
   */
  cost_max: number | null;
}
export interface NewAgentSchedule {
  /**
   * The `unique_id` of the agent.
   */
  agent: string;
  /**
   * Used as the subject of the e-mail, or together with the date as the file name.
   */
  name: string;
  question: string;
  /**
   * `weekdays`: Monday to Friday.
   */
  repeats: 'daily' | 'weekdays' | 'weekly';
  /**
   * Hour of the day in the time zone.
   */
  hour: number;
  /**
   * Name in the IANA time zone database.
   */
  time_zone: string;
  deliver_to: 'mail' | 'project';
  /**
   * 1 is Monday. Required for weekly schedules, and not allowed for others.
   */
  weekday?: number | null;
  /**
   * The project for the files. Required for delivery to a project, and not allowed otherwise.
   */
  project?: string | null;
}
export interface AgentSchedule {
  id: string;
  agent: string;
  /**
   * When it was scheduled.
   */
  agent_name: string;
  /**
   * Used as the subject of the e-mail, or together with the date as the file name.
   */
  name: string;
  question: string;
  /**
   * `weekdays`: Monday to Friday.
   */
  repeats: 'daily' | 'weekdays' | 'weekly';
  /**
   * Hour of the day in the time zone.
   */
  hour: number;
  /**
   * Name in the IANA time zone database.
   */
  time_zone: string;
  deliver_to: 'mail' | 'project';
  /**
   * 1 is Monday.
   */
  weekday: number | null;
  /**
   * The project for the files.
   */
  project: string | null;
  created_at: string;
  /**
   * null after it has stopped.
   */
  next_run_at: string | null;
  /**
   * null while it runs.
   */
  stopped_at: string | null;
  /**
   * Why the schedule stopped: the member left the organization or lost a permission, or the agent or project was deleted.
   */
  stop_reason: ('member_left' | 'permission_lost' | 'agent_deleted' | 'project_deleted') | null;
  last_run: AgentScheduleRun | null;
}
export interface AgentScheduleRun {
  due_at: string;
  /**
   * `delivered`: the file is stored or the e-mail is queued; `failed`: the next run is not affected; `stopped`: the schedule has stopped.
   */
  state: 'waiting' | 'running' | 'delivered' | 'failed' | 'stopped';
  /**
   * Why the run failed or is retried. `interrupted`: the worker stopped; `refused`: the file was refused; `error`: an unexpected error.
   */
  problem:
    | (
        | 'budget_exhausted'
        | 'storage_full'
        | 'busy'
        | 'interrupted'
        | 'refused'
        | 'error'
        | 'member_left'
        | 'permission_lost'
        | 'agent_deleted'
        | 'project_deleted'
      )
    | null;
  /**
   * null while it waits or runs.
   */
  settled_at: string | null;
  /**
   * The id of the answer.
   */
  answer: string | null;
  /**
   * The id of the file.
   */
  file: string | null;
}
/**
 * The body of every error response. Fields may be added.
 *
 * This interface was referenced by `PlatformOperations`'s JSON-Schema
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

export const platformOperations = {
  listPlatformTokens: 'GET /dm/api/core/platform/api-tokens/',
  createPlatformToken: 'POST /dm/api/core/platform/api-tokens/',
  readFieldPermissions: 'GET /dm/api/core/platform/api-tokens/field-permissions/',
  readPlatformToken: 'GET /dm/api/core/platform/api-tokens/{name}',
  changePlatformToken: 'PATCH /dm/api/core/platform/api-tokens/{name}',
  removePlatformToken: 'DELETE /dm/api/core/platform/api-tokens/{name}',
  listPolicies: 'GET /dm/api/core/rbac/policies/',
  createPolicy: 'POST /dm/api/core/rbac/policies/',
  readPolicy: 'GET /dm/api/core/rbac/policies/{policy_id}',
  changePolicy: 'PATCH /dm/api/core/rbac/policies/{policy_id}',
  removePolicy: 'DELETE /dm/api/core/rbac/policies/{policy_id}',
  listGroups: 'GET /dm/api/core/rbac/groups/',
  createGroup: 'POST /dm/api/core/rbac/groups/',
  readGroup: 'GET /dm/api/core/rbac/groups/{group_id}',
  changeGroup: 'PATCH /dm/api/core/rbac/groups/{group_id}',
  removeGroup: 'DELETE /dm/api/core/rbac/groups/{group_id}',
  listOrganizations: 'GET /dm/api/core/organizations/',
  createOrganization: 'POST /dm/api/core/organizations/',
  getOrganization: 'GET /dm/api/core/organizations/{platform_key}',
  renameOrganization: 'PATCH /dm/api/core/organizations/{platform_key}',
  switchOrganization: 'POST /dm/api/core/organizations/{platform_key}/switch',
  listMembers: 'GET /dm/api/core/rbac/members/',
  changeRole: 'PATCH /dm/api/core/rbac/members/{username}',
  removeMember: 'DELETE /dm/api/core/rbac/members/{username}',
  listInvitations: 'GET /dm/api/core/rbac/invitations/',
  sendInvitation: 'POST /dm/api/core/rbac/invitations/',
  resendInvitation: 'POST /dm/api/core/rbac/invitations/{id}/resend',
  cancelInvitation: 'DELETE /dm/api/core/rbac/invitations/{id}',
  listAuditEvents: 'GET /dm/api/core/platform/audit-events/',
  createAgent: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/mentor-with-settings/',
  searchAgents: 'GET /dm/api/search/orgs/{org}/users/{username}/mentors/',
  readAgentSettings: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/settings/',
  changeAgentSettings: 'PATCH /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/settings/',
  duplicateAgent: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/duplicate/',
  deleteAgent: 'DELETE /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/',
  listAgentVersions: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/versions/',
  readAgentVersion: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/versions/{number}/',
  restoreAgentVersion: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/versions/{number}/restore/',
  listAgentCategories: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentor/categories/',
  listAgentTemplates: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/templates/',
  createAgentTemplate: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/templates/',
  removeAgentTemplate: 'DELETE /dm/api/ai-mentor/orgs/{org}/users/{username}/templates/{name}',
  askAgent: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/answers/',
  listAnswers: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/answers/',
  readAnswer: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/answers/{answer_id}/',
  deleteAnswer: 'DELETE /dm/api/ai-mentor/orgs/{org}/users/{username}/mentors/{unique_id}/answers/{answer_id}/',
  readAnswerRetention: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/answer-retention/',
  changeAnswerRetention: 'PUT /dm/api/ai-mentor/orgs/{org}/users/{username}/answer-retention/',
  readAgentUsage: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-usage/',
  listAgentBudgets: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-budgets/',
  changeAgentBudget: 'PUT /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-budgets/',
  createAgentSchedule: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-schedules/',
  listAgentSchedules: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-schedules/',
  readAgentSchedule: 'GET /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-schedules/{schedule_id}/',
  deleteAgentSchedule: 'DELETE /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-schedules/{schedule_id}/',
  runAgentSchedule: 'POST /dm/api/ai-mentor/orgs/{org}/users/{username}/agent-schedules/{schedule_id}/run/',
  getPlatformDescription: 'GET /openapi-platform.json',
} as const satisfies Record<keyof PlatformOperations, string>;
