import { html } from 'ghtml';
import { Type } from 'typebox';

import { agents } from '../../../agents/index.ts';
import {
  changedFields,
  listAgentVersions,
  presentSettings,
  readAgentVersion,
  restoreAgentVersion,
} from '../../../agents/versions/index.ts';
import { forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import { form } from '../../shell/form-controls.ts';
import { say, sayList } from '../../shell/words/say.ts';
import { dataTable } from '../components/data-table.ts';
import { ago } from '../components/moments.ts';
import { badge, card, difference } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { PlatformTools } from '../platform/platform-frame.ts';
import {
  callerOfVisitor,
  mayIn,
  organizationParams,
  platformPage,
  platformPath,
  platformTabs,
} from '../platform/platform-frame.ts';
import type { Visitor } from '../visitor.ts';

const agentParams = { ...organizationParams, id: Type.String({ maxLength: 64 }) };
const AgentParams = Type.Object(agentParams);
const VersionParams = Type.Object({
  ...agentParams,
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});
const problems = [forbidden, notFound];
const versionsPath = '/platform/{org}/agents/{id}/versions';

/** The versions of the settings of an agent, each beside the current one, and the return to one of them. */
export function versionPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return [listPage(tools), versionPage(tools), restoreForm(tools)];
}

const requestOf = (visitor: Visitor, { org, id }: { readonly org: string; readonly id: string }) => ({
  caller: callerOfVisitor(visitor),
  organizationKey: org,
  username: visitor.account.username,
  agentId: id,
});

function listPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: versionsPath,
    operationId: 'showAgentVersions',
    params: AgentParams,
    problems,
    show: async ({ visitor, params }) => {
      const asked = requestOf(visitor, params);
      const { displayName } = await agents.readAgent(tools.access, asked);
      const versions = await listAgentVersions(tools.access, asked);
      const { language } = visitor;
      const here = platformPath(params.org, 'agents', params.id, 'versions');
      const rows = versions.map((version, at) => ({
        ...version,
        before: versions[at + 1],
        isCurrent: at === 0,
      }));
      return platformPage(tools, visitor, {
        org: params.org,
        tab: 'agents',
        title: say('Versions of {displayName}', { displayName }),
        crumbs: [{ href: platformPath(params.org, 'agents', params.id), label: displayName }],
        lead: say('The settings after each of the last 50 changes, newest first.'),
        main: dataTable(language, {
          caption: say('Newest first.'),
          rows,
          columns: [
            {
              label: say('Version'),
              place: 'main',
              cell: ({ number, isCurrent }) =>
                html`<a class="name" href="${here}/${String(number)}">${String(number)}</a>
                  !${isCurrent ? badge('good', say('Current version')) : ''}`,
            },
            {
              label: say('Changed settings'),
              place: 'also',
              cell: ({ before, settings }) =>
                html`${before === undefined ? '' : sayList(changedFields(before.settings, settings).map(labelOf))}`,
            },
            { label: say('Changed by'), place: 'also', cell: ({ madeBy }) => html`${madeBy}` },
            {
              label: say('Time'),
              place: 'also',
              cell: ({ madeAt }) => ago(madeAt, tools.identity.clock.now(), language),
            },
          ],
          empty: {
            icon: 'clock',
            title: say('No versions yet.'),
            text: say('The first change stores the settings before and after it.'),
          },
        }),
      });
    },
  });
}

function versionPage(tools: PlatformTools): RouteDeclaration {
  return defineMemberPage(tools, {
    path: `${versionsPath}/{number}`,
    operationId: 'showAgentVersion',
    params: VersionParams,
    problems,
    show: async ({ visitor, params }) => comparison(tools, visitor, params),
  });
}

async function comparison(
  tools: PlatformTools,
  visitor: Visitor,
  params: { readonly org: string; readonly id: string; readonly number: number },
): Promise<PersonalPage> {
  const { org, id, number } = params;
  const { agent, version } = await readAgentVersion(tools.access, {
    ...requestOf(visitor, params),
    number,
  });
  const [current, former] = [presentSettings(agent), presentSettings(version.settings)];
  const parts = changedFields(agent, version.settings).map((name) =>
    card({
      title: labelOf(name),
      isPadded: true,
      content: difference(visitor.language, linesOf(name, current[name]), linesOf(name, former[name])),
    }),
  );
  const may = await mayIn(tools, visitor, org);
  const restore =
    parts.length > 0 && may(platformTabs.agents.update, 'agents', id)
      ? form({
          action: platformPath(org, 'agents', id, 'versions', String(number), 'restore'),
          submit: say('Restore version {number}', { number }),
        })
      : '';
  return platformPage(tools, visitor, {
    org,
    tab: 'agents',
    title: say('Version {number} of {displayName}', { number, displayName: agent.displayName }),
    crumbs: [
      { href: platformPath(org, 'agents', id), label: agent.displayName },
      { href: platformPath(org, 'agents', id, 'versions'), label: say('Versions') },
    ],
    lead:
      parts.length === 0
        ? say('This version is identical to the current settings.')
        : say('Restoring this version removes the lines with − and adds those with +.'),
    main: html`<div class="stack">!${parts}</div>
      !${restore}`,
  });
}

function restoreForm(tools: PlatformTools): RouteDeclaration {
  return defineMemberForm(tools, {
    path: `${versionsPath}/{number}/restore`,
    operationId: 'restoreAgentVersionOnPage',
    params: VersionParams,
    problems,
    show: async ({ visitor, params, client }) => {
      const { org, id, number } = params;
      await restoreAgentVersion(tools.access, {
        ...requestOf(visitor, params),
        number,
        client,
      });
      return { to: platformPath(org, 'agents', id) };
    },
  });
}

type Field = ReturnType<typeof changedFields>[number];

/** As on the form of the settings. */
function labelOf(name: Field): string {
  const labels: Readonly<Record<Field, string>> = {
    display_name: say('Display name'),
    description: say('Description'),
    template_name: say('Template'),
    system_prompt: say('System prompt'),
    llm_provider: say('Model provider'),
    categories: say('Categories'),
    sources: say('Answers from'),
    file_projects: say('Only files of these projects'),
  };
  return labels[name];
}

function linesOf(name: Field, value: string | readonly string[]): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : value.split(/\r?\n/u);
  return name === 'sources' ? value.map((source) => (source === 'news' ? say('News') : say('Files'))) : value;
}
