import { expect, test } from 'vitest';

import { writeMail } from './mail-text.ts';

const invitation = {
  organization: { key: 'acme', name: 'Acme' },
  sender: { username: 'ann', name: 'Ann Example', email: 'ann@example.org' },
  role: 'viewer',
};
const write = (facts: typeof invitation) =>
  writeMail('join_organization', {
    authUrl: 'https://d.example',
    token: 'abc',
    invitation: facts,
    confirmation: null,
    organization: null,
  });

test('names the sender and the role in an invitation, with names in quotes', () => {
  const { subject, text } = write(invitation);
  expect(subject).toBe('“Ann Example” invites you to join “Acme” on Daybook');
  expect(text).toContain(
    '“Ann Example” (ann@example.org) invites you to join the organization “Acme” on Daybook as viewer.',
  );
  expect(text).toContain('https://d.example/auth/join?token=abc');
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
