import { isReadableName } from '../../foundation/readable-name.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';

export type NameFault = 'malformed' | 'address' | 'instruction';

const nameCharsMax = 100;

/** For whoever chose the name; each continues "name …". */
export const nameFaultMessages: Readonly<Record<NameFault, string>> = {
  malformed: `must be 1 to ${nameCharsMax} characters without control characters`,
  address: 'must not hold a web address, an e-mail address or a telephone number; after a dot, write a blank',
  instruction: 'reads like an instruction to whoever sees it; write the name alone',
};

export function codePoints(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10FFFF}]/gu)?.length ?? 0);
}

/**
 * The name of a person or an organization. It stands in mail that we send to strangers, who must not find there what
 * its owner wants them to click, call or do.
 */
export function parseDisplayName(text: string): Result<string, NameFault> {
  const name = text.normalize('NFC').trim();
  if (codePoints(name) > nameCharsMax || !isReadableName(name)) return refused('malformed');
  // Mail programs make links of what only looks alike too, such as full-width letters.
  const plain = name.normalize('NFKC').toLowerCase();
  if (addressForms.some((form) => form.test(plain))) return refused('address');
  if (instructionForms.some((form) => form.test(plain))) return refused('instruction');
  return accepted(name);
}

/** The name that an account starts with where its owner was not asked for one: `ada.lovelace@…` becomes “Ada Lovelace”. */
export function nameFromEmail(written: string, username: string): string {
  const [local = ''] = written.split('@');
  const words = (local.split('+')[0] ?? '').split(/[._-]+/).filter((word) => /^[a-z]+$/i.test(word));
  const guessed = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  const names = [guessed, username].map(parseDisplayName);
  return names.find((name) => name.ok)?.value ?? 'Member';
}

const addressForms: readonly RegExp[] = [
  /:\/\//,
  /\bwww\./,
  /\S@\S/,
  // What mail programs take for a host: `daybook.example`, `t.co`. "St. Mary" and "J. R. R. Tolkien" have blanks.
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
