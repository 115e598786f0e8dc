import { expect, test } from 'vitest';

import { mailWordsOf } from '../../foundation/mail/words/mail-words.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { MailKind } from '../mail/mail-request-store.ts';
import { writeMail } from './mail-text.ts';

const invitation = {
  organization: { key: 'acme', name: 'Acme' },
  sender: { username: 'ann', name: 'Ann Example', email: 'ann@example.org' },
  role: 'viewer',
};
const write = (facts: typeof invitation, language: ReaderLanguage = 'en') =>
  writeMail(
    'join_organization',
    {
      authUrl: 'https://d.example',
      token: 'abc',
      invitation: facts,
      confirmation: null,
      organization: null,
    },
    language,
  );

test('names the sender and the role in an invitation, with names in quotes', () => {
  const { subject, text } = write(invitation);
  expect(subject).toBe('“Ann Example” invites you to join “Acme” on Daybook');
  expect(text).toContain(
    '“Ann Example” (ann@example.org) invites you to join the organization “Acme” on Daybook as viewer.',
  );
  expect(text).toContain('https://d.example/auth/join?token=abc');
  expect(write(invitation, 'zh').text).toContain('邀请您加入 Daybook 组织“Acme”，角色为查看者。');
});

test('prevents a name from closing the quotes around it', () => {
  const name = 'Acme” on Daybook. "Now «free» 「Acme';
  const { text } = write({ ...invitation, organization: { key: 'acme', name } });
  expect(text).toContain("organization “Acme' on Daybook. 'Now 'free' 'Acme” on Daybook as viewer");
});

test('replaces stored names that break the current rules for names', () => {
  const { subject, text } = write({
    ...invitation,
    organization: { key: 'acme', name: 'Verify your account at evil.example' },
    sender: { ...invitation.sender, name: 'Support\r\nBcc: all@example.org' },
  });
  expect(subject).toBe('“ann” invites you to join “acme” on Daybook');
  expect(text).not.toMatch(/evil|Bcc/);
});

test.each(['en', 'zh'] as const)('every mail has all its values in %s', (language) => {
  const facts = {
    authUrl: 'https://d.example',
    token: 'abc',
    invitation,
    confirmation: { code: '123456', action: 'delete_account' },
    organization: { key: 'acme', name: 'Acme' },
  } as const;
  const kinds = Object.keys(mailWordsOf(language).accounts) as MailKind[];
  for (const kind of kinds) {
    const { subject, text } = writeMail(kind, facts, language);
    expect(`${subject}\n${text}`).not.toMatch(/[{}]|undefined/u);
    expect(/\p{Script=Han}/u.test(subject)).toBe(language === 'zh');
    expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh');
  }
});

test('the code of an action is requested in the language of the installation', () => {
  const confirmation = { code: '123456', action: 'delete_account' } as const;
  const facts = {
    authUrl: 'https://d.example',
    token: null,
    invitation: null,
    confirmation,
    organization: null,
  };
  const { subject, text } = writeMail('confirm_action', facts, 'zh');
  expect(subject).toBe('您的验证码是 123456');
  expect(text).toContain('请输入以下验证码以删除账户：');
});
