import { html } from 'ghtml';

import { auditEvents, members, organizations } from '../../../access/index.ts';
import { notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { contents } from '../../../storage/index.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { beside, buttonLink, card, rows } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberPage } from '../console-route.ts';
import { personPicture } from '../person-picture.ts';
import { readableSize } from '../storage/storage-frame.ts';
import { eventWords } from './event-words.ts';
import { firstSteps } from './first-steps.ts';
import type { May, PlatformPlace, PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  callerOfVisitor,
  mayIn,
  platformPage,
  platformPath,
  platformTabs,
  startPath,
} from './platform-frame.ts';
import { unrecorded } from './resource-names.ts';

const newestMax = 5;

/** The first page of an organization: first steps, figures, newest members and latest events. */
export function overviewPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: '/platform/{org}',
    operationId: 'showOrganization',
    params: OrganizationParams,
    problems: [notFound],
    show: async ({ visitor, params: { org } }) => {
      const start = await startPath(tools, visitor, org);
      return start === platformPath(org) ? showOverview({ tools, visitor, org }) : { to: start };
    },
  });
}

async function showOverview(place: PlatformPlace): Promise<PersonalPage> {
  const { tools, visitor, org } = place;
  const words = wordsOf(visitor.language).console;
  const may = await mayIn(tools, visitor, org);
  const organization = await organizations.readOrganization(tools.access, callerOfVisitor(visitor), org);
  const now = tools.identity.clock.now();
  const counts = await organizations.countContents(tools.access.database, organization.id, now);
  const mayInvite = may(platformTabs.members.create, 'members');
  return platformPage(tools, visitor, {
    org,
    tab: 'overview',
    title: words.sections.overview,
    lead: html`${words.overview.lead(organization.name)}`,
    actions: mayInvite
      ? buttonLink({
          href: `${platformPath(org, 'members')}?new=1`,
          label: words.members.invite,
          icon: 'plus',
          kind: 'primary',
        })
      : '',
    main: html`<div class="stack">
      !${await firstSteps(place, organization, counts)} !${await figures(place, may, counts)}
      !${newest(await latestEvents(place, may), await newestMembers(place))}
    </div>`,
  });
}

/** Members without access to the audit log see the newest members alone, over the whole width. */
function newest(events: string, members: string): string {
  return events === '' ? members : beside(events, members);
}

type Counts = Awaited<ReturnType<typeof organizations.countContents>>;

async function figures(place: PlatformPlace, may: May, counts: Counts): Promise<string> {
  const { tools, visitor, org } = place;
  const words = wordsOf(visitor.language).console;
  const shown = (['members', 'groups', 'tokens', 'policies'] as const)
    .filter((tab) => may(platformTabs[tab].read, ...platformTabs[tab].kind))
    .map((tab) => ({
      href: platformPath(org, tab),
      label: words.sections[tab],
      figure: String(counts[tab]),
      note: '',
    }));
  const { files } = tools;
  if (files !== null && may(platformTabs.projects.read, ...platformTabs.projects.kind)) {
    const asked = { caller: callerOfVisitor(visitor), client: unrecorded, organizationKey: org };
    const { usedBytes, reservedBytes, quotaBytes } = await contents.readOrganizationUsage(files, asked);
    shown.push({
      href: platformPath(org, 'projects'),
      label: words.overview.storage,
      figure: readableSize(usedBytes + reservedBytes),
      note: words.overview.ofQuota(readableSize(quotaBytes)),
    });
  }
  return html`<dl class="figures">
    !${shown.map(
      ({ href, label, figure, note }) =>
        html`<div>
          <dt><a href="${href}">${label}</a></dt>
          <dd>${figure}</dd>
          !${note === '' ? '' : html`<dd>${note}</dd>`}
        </div>`,
    )}
  </dl>`;
}

async function newestMembers({ tools, visitor, org }: PlatformPlace): Promise<string> {
  const words = wordsOf(visitor.language).console;
  const asked = { platform_key: org, limit: newestMax };
  const found = await members.listMembers(tools.access, callerOfVisitor(visitor), asked, (member) => member);
  return card({
    title: words.overview.newest,
    action: buttonLink({
      href: platformPath(org, 'members'),
      label: words.overview.all,
      kind: 'quiet',
      small: true,
    }),
    content: rows(
      found.data.map((member) => ({
        picture: personPicture(member),
        title: member.name,
        href: platformPath(org, 'members', member.username),
        text: html`${words.roles[member.role] ?? member.role}`,
      })),
    ),
  });
}

async function latestEvents({ tools, visitor, org }: PlatformPlace, may: May): Promise<string> {
  if (!may(platformTabs.audit.read, ...platformTabs.audit.kind)) return '';
  const words = wordsOf(visitor.language).console;
  const asked = { platform_key: org, limit: newestMax };
  const { data } = await auditEvents.listAuditEvents(tools.access, callerOfVisitor(visitor), asked);
  const now = tools.identity.clock.now();
  return card({
    title: words.overview.activity,
    action: buttonLink({
      href: platformPath(org, 'audit'),
      label: words.overview.all,
      kind: 'quiet',
      small: true,
    }),
    isPadded: data.length === 0,
    content:
      data.length === 0
        ? html`<p class="hint">${words.overview.none}</p>`
        : rows(
            data.map(({ kind, username, createdAt }) => ({
              icon: 'pulse' as const,
              title: eventWords(kind),
              text: html`${username ?? '–'}`,
              end: ago(createdAt, now, visitor.language),
            })),
          ),
  });
}
