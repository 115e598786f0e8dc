import { html } from 'ghtml';

import type { organizations } from '../../../access/index.ts';
import { platformTokens } from '../../../access/index.ts';
import { useCases } from '../../../identity/index.ts';
import { projects } from '../../../storage/index.ts';
import { command } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { wordsOf } from '../../shell/words/words.ts';
import { icon } from '../components/icons.ts';
import { buttonLink, card, progress } from '../components/parts.ts';
import type { PlatformPlace } from './platform-frame.ts';
import { callerOfVisitor, platformPath } from './platform-frame.ts';

type Counts = Awaited<ReturnType<typeof organizations.countContents>>;
type Organization = Awaited<ReturnType<typeof organizations.readOrganization>>;

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly text?: string;
  readonly action?: { readonly href: string; readonly label: string };
  /** HTML below the text. */
  readonly more?: string;
}

/** For owners, until each step is done. */
export async function firstSteps(
  place: PlatformPlace,
  organization: Organization,
  counts: Counts,
): Promise<string> {
  const { visitor, org } = place;
  const membership = visitor.account.memberships.find(({ organizationKey }) => organizationKey === org);
  if (membership?.role !== 'owner') return '';
  const words = wordsOf(visitor.language).console;
  const all = [
    ...(await ofAccount(place, organization)),
    ...(await ofOrganization(place, organization, counts)),
  ];
  const done = all.filter(({ isDone }) => isDone).length;
  if (done === all.length) return '';
  const current = all.findIndex(({ isDone }) => !isDone);
  return card({
    title: words.overview.setUp(organization.name),
    action: progress('set-up', words.overview.done(done, all.length), { done, of: all.length }),
    content: html`<ol class="steps">
      !${all.map((step, index) => stepLine(step, index, index === current))}
    </ol>`,
  });
}

function stepLine(
  { title, text = '', isDone, action, more = '' }: Step,
  index: number,
  isNext: boolean,
): string {
  return html`<li class="${isDone ? 'done' : isNext ? 'now' : ''}">
    <span class="dot">!${isDone ? icon('check') : String(index + 1)}</span>
    <div>
      <strong>${title}</strong>!${isDone || text === '' ? '' : html`<small>${text}</small>`}!${
        isDone ? '' : more
      }
    </div>
    !${isDone || action === undefined ? '' : buttonLink(action)}
  </li>`;
}

async function ofAccount(
  { tools, visitor: { account }, org }: PlatformPlace,
  { name }: Organization,
): Promise<readonly Step[]> {
  const passkeys = await useCases.listPasskeys(tools.identity.database, account.id);
  return [
    // An account exists only after its address is confirmed.
    { title: say('Confirm your e-mail address'), isDone: true },
    {
      title: say('Add a passkey'),
      text: say('Sign in without a password or code.'),
      isDone: passkeys.length > 0,
      action: { href: '/account/passkeys', label: say('Add a passkey') },
    },
    {
      title: say('Name the organization'),
      text: say('The organization currently has your name. Colleagues see the name in invitations.'),
      isDone: name !== account.name,
      action: { href: platformPath(org, 'settings'), label: say('Rename') },
    },
  ];
}

async function ofOrganization(
  { tools, visitor, org }: PlatformPlace,
  { id }: Organization,
  counts: Counts,
): Promise<readonly Step[]> {
  const words = wordsOf(visitor.language).console;
  const tokens = await platformTokens.listPlatformTokens(tools.access, callerOfVisitor(visitor), org);
  const address = `${tools.identity.baseUrl}/dm/api/core/rbac/members/?platform_key=${encodeURIComponent(org)}`;
  const upload = async (): Promise<Step> => ({
    title: say('Upload a file'),
    text: say('Create a project, then add files to it.'),
    isDone: (await projects.countStorageContents(tools.access.database, id)).bytes > 0,
    action: { href: platformPath(org, 'projects'), label: say('Go to files') },
  });
  return [
    {
      title: say('Invite colleagues'),
      text: say('A second owner can still manage the organization if you lose access.'),
      isDone: counts.members > 1 || counts.invitations > 0,
      action: { href: `${platformPath(org, 'members')}?new=1`, label: words.members.invite },
    },
    {
      title: say('Create a token for your first program'),
      text: say('You choose what the program can do.'),
      isDone: counts.tokens > 0,
      action: { href: `${platformPath(org, 'tokens')}?new=1`, label: words.tokensPage.create },
    },
    ...(tools.files === null ? [] : [await upload()]),
    {
      title: say('Try the API'),
      isDone: tokens.some(({ lastUsedAt }) => lastUsedAt !== null),
      more: command(
        say('Replace TOKEN with the secret of a token that can list members.'),
        `curl -H 'authorization: Api-Token TOKEN' '${address}'`,
      ),
    },
  ];
}
