/** What looks like a secret in a text, named for the user; null without one. */
export function secretIn(text: string): string | null {
  for (const { name, pattern } of patterns) if (pattern.test(text)) return name;
  for (const [found] of text.replace(address, ' ').matchAll(cardNumber))
    if (isCard(found.replace(/[ -]/g, ''))) return 'a card number';
  return null;
}

const patterns: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----/ },
  { name: 'an access key', pattern: /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/ },
  {
    name: 'an access token',
    pattern:
      /\b(?:gh[pousr]_[A-Za-z\d]{36}|github_pat_\w{50,}|glpat-[\w-]{20}|xox[abprs]-[\w-]{20,}|sk-[A-Za-z\d_-]{20,}|npm_[A-Za-z\d]{36})/,
  },
  {
    name: 'a password',
    pattern:
      /(?:\b(?:password|passwd|passphrase|api[_ -]?key|secret[_ -]?key)\b|密码)\s*[:=：]\s*(?!<|\{|\$|\*|x{3}|your)[^\s`"',]{8,}/i,
  },
];
/** The numbers of posts and products in addresses are often valid card numbers. */
const address = /\b(?:https?:\/\/|www\.)[^\s<>"]+/gi;
const cardNumber = /(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])/g;

/** The first digits and lengths of the large issuers. */
const issued = /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6\d{15,18})$/;

/** The check digit of payment cards. */
function isCard(digits: string): boolean {
  if (!issued.test(digits) || new Set(digits).size < 2) return false;
  let sum = 0;
  for (const [at, digit] of Array.from(digits).reverse().entries()) {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
