import { invalidRequest } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { codePoints } from '../accounts/display-name.ts';

export const passwordCharsMin = 10;
const passwordCharsMax = 256;

/** The owner of the password: facts that every attacker knows. */
export interface PasswordOwner {
  readonly email: string;
  readonly username: string;
  readonly name: string;
}

type PasswordFault = 'length' | 'common' | 'pattern' | 'own';

/** Each message continues "password …" and says what to do instead. */
const faultMessages: Readonly<Record<PasswordFault, string>> = {
  length: `must have ${passwordCharsMin} to ${passwordCharsMax} characters`,
  common:
    'is too common, or a common password with a few extra characters; use three or four unrelated words',
  pattern: 'is a repeated or sequential pattern; use three or four unrelated words',
  own: 'contains your e-mail address, username or name; use words unrelated to you',
};

/** Character classes are not required: that makes passwords worse. The length bounds the work. */
export async function requireGoodPassword(
  password: string,
  owner: PasswordOwner,
  field = 'password',
): Promise<void> {
  const fault = await passwordFault(password, owner);
  if (fault === null) return;
  const message = faultMessages[fault];
  throw new ProblemError(invalidRequest, `${field} ${message}`, {
    errors: [{ in: 'body', name: field, message }],
  });
}

async function passwordFault(password: string, owner: PasswordOwner): Promise<PasswordFault | null> {
  const length = codePoints(password.normalize('NFKC'));
  if (length < passwordCharsMin || length > passwordCharsMax) return 'length';
  const folded = password.normalize('NFKC').toLowerCase();
  if (isPattern(folded)) return 'pattern';
  const common = await (commonPasswords ??= loadCommonPasswords());
  if (commonForms(folded).some((form) => common.has(form))) return 'common';
  const letters = lettersAndDigits(folded);
  return ownWords(owner).some((word) => letters.includes(word)) ? 'own' : null;
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

/** The 49,000 most frequent passwords of leaked collections, in lower case. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

const substituted: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** The password itself, and without the usual additions and letter substitutions. */
function commonForms(folded: string): readonly string[] {
  const withoutTrailing = folded.replace(/[^\p{L}]+$/u, '');
  const core = withoutTrailing.replace(/^[^\p{L}]+/u, '');
  const spelt = (text: string): string => text.replace(/[@431!0$57]/g, (mark) => substituted[mark] ?? mark);
  return [
    folded,
    withoutTrailing,
    core,
    spelt(folded),
    spelt(withoutTrailing),
    spelt(folded.replace(/[^\p{L}@$]+$/u, '')),
  ];
}

/** A repeated piece of up to a third of the length, or a run of adjacent characters. */
function isPattern(text: string): boolean {
  if (/^(.{1,85}?)\1{2,}.?$/su.test(text)) return true;
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.filter((step) => Math.abs(step) === 1).length >= steps.length - 2;
}

const ownWordCharsMin = 4;

/** Ignores short words, which would forbid half of all words. */
function ownWords({ email, username, name }: PasswordOwner): readonly string[] {
  const [localPart = ''] = email.split('@');
  return [email, localPart, username, name, ...name.split(/\s+/)]
    .map((word) => lettersAndDigits(word.normalize('NFKC').toLowerCase()))
    .filter(
      (word) => codePoints(word) >= ownWordCharsMin || (word.length >= 2 && /^\p{Script=Han}+$/u.test(word)),
    );
}

function lettersAndDigits(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
