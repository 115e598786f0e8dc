import { isReadableName } from '../../foundation/readable-name.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { isReservedDisplayName } from './reserved-name.ts';

export type NameFault = 'malformed' | 'address' | 'instruction' | 'scripts' | 'reserved';

const nameCharsMax = 100;

/** For the person who chose the name; each message continues "name …". */
export const nameFaultMessages: Readonly<Record<NameFault, string>> = {
  malformed: `must have 1 to ${nameCharsMax} characters and no control characters`,
  address: 'must not contain a URL, an e-mail address or a phone number; add a space after each dot',
  scripts: 'mixes alphabets within a word, such as Latin and Cyrillic; use one alphabet per word',
  reserved: 'is reserved; choose another',
  instruction: 'looks like an instruction; enter only the name',
};

export function codePoints(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/**
 * The name of a person or an organization. Mail to people without an account contains it, so it must not contain
 * links, phone numbers or instructions.
 */
export function parseDisplayName(
  text: string,
  /** Only an operator may assign a reserved name. */
  { reserved = 'refused' }: { readonly reserved?: 'refused' | 'accepted' } = {},
): Result<string, NameFault> {
  const name = text.normalize('NFC').trim();
  if (codePoints(name) > nameCharsMax || !isReadableName(name)) return refused('malformed');
  // Mail programs also turn lookalikes, such as full-width letters, into links.
  const plain = name.normalize('NFKC').toLowerCase();
  if (addressForms.some((form) => form.test(plain))) return refused('address');
  if (instructionForms.some((form) => form.test(plain))) return refused('instruction');
  if (mixesScripts(name)) return refused('scripts');
  if (reserved === 'refused' && isReservedDisplayName(plain)) return refused('reserved');
  return accepted(name);
}

/** Scripts with letters that look like letters of another script. */
const confusableScripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Georgian',
  'Lisu',
];
/** Scripts that occur beside Latin letters in ordinary words: “晨报Daily”, “Tシャツ”. */
const besideLatin = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'];
const lettersOf = (scripts: readonly string[]): string =>
  scripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('');
const scriptForms = confusableScripts.map((script) => ({
  some: new RegExp(`(?=\\p{L})[${lettersOf([script])}]`, 'u'),
  all: new RegExp(
    String.raw`^(?:[${lettersOf(script === 'Latin' ? [script, ...besideLatin] : [script])}\p{Script=Common}\p{Script=Inherited}])+$`,
    'u',
  ),
}));

/** Whether a word mixes two alphabets with similar letters (UTS 39, “highly restrictive”). */
function mixesScripts(name: string): boolean {
  const words = name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.some((word) => scriptForms.some(({ some, all }) => some.test(word) && !all.test(word)));
}

/** The initial name of an account whose owner has chosen none: `ada.lovelace@…` becomes “Ada Lovelace”. */
export function nameFromEmail(written: string, username: string): string {
  const [local = ''] = written.split('@');
  const words = (local.split('+')[0] ?? '').split(/[._-]+/).filter((word) => /^[a-z]+$/i.test(word));
  const guessed = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  const names = [guessed, username].map((one) => parseDisplayName(one));
  return names.find((name) => name.ok)?.value ?? 'Member';
}

const addressForms: readonly RegExp[] = [
  /:\/\//,
  /\bwww\./,
  /\S@\S/,
  // Mail programs take this for a host: `daybook.example`, `t.co`. "St. Mary" and "J. R. R. Tolkien" have blanks.
  /[\p{L}\p{N}][.。．][\p{L}]{2,}/u,
  /(?:\d[\s().+-]*){8,}/,
];

const whatIsYours = String.raw`(?:account|password|passcode|mailbox|e-?mail|payment|invoice|wallet|card|login|access)`;
const instructionForms: readonly RegExp[] = [
  new RegExp(String.raw`\byour\s+(?:\w+\s+){0,2}${whatIsYours}\b`),
  new RegExp(
    String.raw`\b(?:click|tap|press|visit|open|follow|go\s+to|call|reply|download|verify|confirm|reset|update|unlock|pay|log\s?in|sign\s?in)\b(?:\s+\S+){0,3}\s+(?:here|now|below|link|this|immediately|today|us|${whatIsYours})\b`,
  ),
  /\b(?:urgent|warning|alert|attention|action required|security notice)\b\s*[:!–—-]/,
  /\b(?:has been|was|is|will be)\s+(?:locked|suspended|blocked|closed|disabled|compromised|hacked)\b/,
  /(?:点击|點擊|请|請|立即|马上|馬上).{0,8}(?:链接|連結|登录|登入|验证|驗證|确认|確認|密码|密碼|账户|账号|帐户|帳戶|付款|汇款)/,
  /(?:您的|你的).{0,4}(?:账户|账号|帐户|帳戶|密码|密碼|邮箱|郵箱|银行卡)/,
];
