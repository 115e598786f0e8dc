/** Each may do what the next may, and more. */
const ranks = ['viewer', 'member', 'admin', 'owner'] as const;
export type ModelRole = (typeof ranks)[number];

interface ModelInvitation {
  readonly role: ModelRole;
  readonly senderId: string;
  readonly email: string;
}

/** An event of the audit log, in the order in which the organization changed. */
export interface MembershipEvent {
  readonly version: number;
  readonly kind: string;
  readonly actorId: string;
  readonly detail: Readonly<Record<string, string>>;
}

/**
 * One organization, followed by its audit log: a second, simplest form of the rules of membership. Members have
 * only the permissions of their role here, so that "no more than they hold" is a comparison of ranks.
 */
export class OrganizationModel {
  readonly roles = new Map<string, ModelRole>();
  readonly invitations = new Map<string, ModelInvitation>();
  #version = 0;

  constructor(ownerId: string) {
    this.roles.set(ownerId, 'owner');
  }

  get owners(): number {
    return [...this.roles.values()].filter((role) => role === 'owner').length;
  }

  /** Applies an event; returns actions that should have been refused. */
  take({ version, kind, actorId, detail }: MembershipEvent, emailOf: (id: string) => string): string[] {
    const faults: string[] = [];
    if (version !== this.#version + 1) faults.push(`version ${version} follows ${this.#version}`);
    this.#version = version;
    const { invitationId = '', memberId = '', role = '', to = '' } = detail;
    if (kind === 'member_invited') {
      const email = emailOf(invitationId);
      if (!this.#mayGive(actorId, role)) faults.push(`${actorId} invited as ${role}`);
      this.#cancelWhere((one) => one.email === email);
      this.invitations.set(invitationId, { role: role as ModelRole, senderId: actorId, email });
    } else if (kind === 'account_joined_organization') {
      const invitation = this.invitations.get(invitationId);
      if (invitation === undefined) faults.push(`joined by an invitation that was not open`);
      else if (!this.#mayGive(invitation.senderId, role)) faults.push(`joined as ${role} of a weaker sender`);
      if (invitation?.role !== role) faults.push(`joined as ${role}, invited as ${invitation?.role}`);
      if (this.roles.has(actorId)) faults.push('joined twice');
      this.invitations.delete(invitationId);
      this.roles.set(actorId, role as ModelRole);
    } else if (kind === 'invitation_cancelled') {
      if (!this.#mayGive(actorId, 'viewer')) faults.push(`${actorId} cancelled`);
      this.invitations.delete(invitationId);
    } else if (kind === 'member_role_changed') {
      const held = this.roles.get(memberId);
      if (held === undefined) faults.push('a role without a member');
      if (!this.#mayGive(actorId, to) || !this.#mayGive(actorId, held ?? 'owner'))
        faults.push(`${actorId} made ${to} of ${held}`);
      this.roles.set(memberId, to as ModelRole);
    } else if (kind === 'member_removed' || kind === 'member_left') {
      if (kind === 'member_left' && actorId !== memberId) faults.push('left for another');
      if (kind === 'member_removed' && !this.#mayGive(actorId, this.roles.get(memberId) ?? 'owner'))
        faults.push(`${actorId} removed ${this.roles.get(memberId)}`);
      this.roles.delete(memberId);
      this.#cancelWhere((one) => one.senderId === memberId);
    } else if (kind === 'organization_renamed') {
      if (!this.#mayGive(actorId, 'viewer')) faults.push(`${actorId} renamed`);
    }
    this.#cancelWhere((one) => !this.#mayGive(one.senderId, one.role));
    if (this.owners === 0) faults.push('no owner is left');
    return faults;
  }

  #mayGive(actorId: string, role: string): boolean {
    const own = ranks.indexOf(this.roles.get(actorId) ?? 'viewer');
    return own >= ranks.indexOf('admin') && own >= ranks.indexOf(role as ModelRole);
  }

  #cancelWhere(ends: (invitation: ModelInvitation) => boolean): void {
    for (const [id, invitation] of this.invitations) if (ends(invitation)) this.invitations.delete(id);
  }
}
