import { html } from 'ghtml';

import { organizations } from '../../../access/index.ts';
import { conflict, forbidden, notFound } from '../../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../../foundation/http/route.ts';
import type { ProblemError } from '../../../foundation/problem.ts';
import { useCases } from '../../../identity/index.ts';
import { notice, problemNotice } from '../../shell/form-controls.ts';
import type { Text } from '../../shell/words/say.ts';
import { say, sayHtml, sayCount } from '../../shell/words/say.ts';
import { ProofForm, guardedForm, proofOf } from '../account/guarded-form.ts';
import { asWrongPassword } from '../account/password-pages.ts';
import { badge, buttonLink, card } from '../components/parts.ts';
import type { PersonalPage } from '../console-route.ts';
import { defineMemberForm, defineMemberPage } from '../console-route.ts';
import type { Visitor } from '../visitor.ts';
import type { PlatformTools } from './platform-frame.ts';
import {
  OrganizationParams,
  callerOfVisitor,
  changeOf,
  platformPage,
  platformPath,
} from './platform-frame.ts';

type Requirement = Awaited<ReturnType<typeof organizations.readSecondFactorRequirement>>;

interface Question {
  readonly required: boolean;
  readonly name: string;
  readonly operation: string;
  readonly guards: 'require_second_factor' | 'stop_requiring_second_factor';
  readonly title: Text;
  readonly submit: Text;
  readonly consequences: (requirement: Requirement) => string;
}

const questions: readonly Question[] = [
  {
    required: true,
    name: 'require-second-factor',
    operation: 'SecondFactorRequirement',
    guards: 'require_second_factor',
    title: 'Require two-factor authentication?',
    submit: 'Require two-factor authentication',
    consequences: ({ membersWithout }) =>
      html`<p>
          ${say('All members must use one-time codes, or passkeys without a password. Members without a second factor can still sign in to their account, but lose access to this organization, including through access tokens, API keys, links and tokens in owner mode. They regain access as soon as they set one up. Tokens with their own permissions keep working.')}
        </p>
        !${notice(membersWithout === 0 ? 'good' : 'bad', html`<p>${withoutWords(membersWithout)}</p>`)}`,
  },
  {
    required: false,
    name: 'stop-requiring-second-factor',
    operation: 'SecondFactorRequirementEnd',
    guards: 'stop_requiring_second_factor',
    title: 'Stop requiring two-factor authentication?',
    submit: 'Stop requiring two-factor authentication',
    consequences: () =>
      html`<p>${say('Members without a second factor regain access to this organization.')}</p>`,
  },
];

function withoutWords(count: number): string {
  if (count === 0) return say('All members have a second factor.');
  return sayCount(
    count,
    '1 member has no second factor and will lose access until they set one up. Open invitations they sent are cancelled.',
    '{count} members have no second factor and will lose access until they set one up. Open invitations they sent are cancelled.',
  );
}

/** Where owners decide whether members need a second factor. */
export function secondFactorRequirementPages(tools: PlatformTools): readonly RouteDeclaration[] {
  return questions.flatMap((question) => {
    const path = `/platform/{org}/${question.name}`;
    return [
      defineMemberPage(tools, {
        path,
        operationId: `show${question.operation}`,
        params: OrganizationParams,
        problems: [forbidden, notFound],
        show: async ({ visitor, params }) => questionPage(tools, visitor, params.org, question),
      }),
      defineMemberForm(tools, {
        path,
        operationId: `confirm${question.operation}`,
        // Requires the password: it counts as an attempt at the sign-in form, in the same window.
        surface: tools.signInForms,
        params: OrganizationParams,
        body: ProofForm,
        problems: [...useCases.proofProblems, conflict, forbidden, notFound],
        show: async ({ visitor, params: { org }, body, client }) => {
          await organizations.changeSecondFactorRequirement(tools.identity, {
            ...changeOf(visitor, org, client),
            ...proofOf(visitor, body),
            required: question.required,
          });
          return { to: platformPath(org, 'settings') };
        },
        refused: async ({ visitor, params }, problem) =>
          questionPage(tools, visitor, params.org, question, asWrongPassword(problem)),
      }),
    ];
  });
}

async function questionPage(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
  question: Question,
  problem: ProblemError | null = null,
): Promise<PersonalPage> {
  const requirement = await readRequirement(tools, visitor, org);
  const here = platformPath(org, question.name);
  const { guards } = question;
  const ask = { guards, page: here, action: here, submit: say(question.submit) };
  const blocked = question.required && !requirement.ownerHasOne;
  return platformPage(tools, visitor, {
    org,
    tab: 'settings',
    title: say(question.title),
    main: html`!${problemNotice(problem)} !${question.consequences(requirement)}
      !${blocked ? ownFirst() : await guardedForm(tools, visitor, { ...ask, problem })}
      <p>!${buttonLink({ href: platformPath(org, 'settings'), label: say('Cancel') })}</p>`,
  });
}

const ownFirst = () =>
  html`<p>
    !${sayHtml('Your own account has no second factor. First {link}, or {link2}. Otherwise you would lock yourself out.', { link: html`<a href="/account/second-factor">${say('turn on one-time codes')}</a>`, link2: html`<a href="/account/passkeys">${say('add a passkey and remove your password')}</a>` })}
  </p>`;

function readRequirement({ access }: PlatformTools, visitor: Visitor, org: string): Promise<Requirement> {
  return organizations.readSecondFactorRequirement(access, callerOfVisitor(visitor), org);
}

/** For the settings of an organization, visible to its owners. */
export async function secondFactorSection(
  tools: PlatformTools,
  visitor: Visitor,
  org: string,
): Promise<string> {
  const { required, membersWithout } = await readRequirement(tools, visitor, org);
  const [name, label] = required
    ? ['stop-requiring-second-factor', say('Stop requiring two-factor authentication')]
    : ['require-second-factor', say('Require two-factor authentication')];
  return card({
    title: say('Two-factor authentication'),
    action: badge(required ? 'good' : 'off', required ? say('Required') : say('Not required')),
    isPadded: true,
    content: html`<p>
        ${required ? say('Members need one-time codes, or a passkey instead of a password, to access this organization.') : ''}
        ${membersWithout === 0 ? say('All members have a second factor.') : say('Members without a second factor: {membersWithout}.', { membersWithout })}
      </p>
      <p>!${buttonLink({ href: platformPath(org, name), label })}</p>`,
  });
}
