/**
 * Names that look like this installation or a part of it: in the sender line of an invitation, in a list of members, in
 * a URL. New accounts and organizations cannot take them; accounts and organizations that have one keep it, and an
 * operator can assign one.
 */

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Words of authority. A name of these words alone is reserved, as username, key and display name. */
const authorityWords = wordSet(`
  abuse admin administrator anonymous billing bot compliance daybook everyone help helpdesk hostmaster
  invoice legal moderator noreply notification official operator owner payment postmaster privacy root
  security service staff superuser support sysadmin system webmaster 官方 客服 管理员 管理員 系统 系統 安全中心 技术支持 技術支援`);

/** Words that do not change the meaning of the others: “Support team”, “Daybook help center”. */
const fillerWords = wordSet(`
  account and center centre department desk mail message no of office reply team the 团队 團隊 中心`);

/** Words of URLs, reserved only as username and key: “Daily” and “Search” are valid display names. */
const addressWords = wordSet(`
  account agent api archive asset auth blog callback cdn confirm contact correction docs document download
  email feed ftp health host info item link localhost login logout mail mailer-daemon mcp metric news null
  openapi openid organization password platform register report reset robots search setting share signin
  signout signup sitemap smtp source static status storage story undefined verify web websub well-known www`);

const lookAlikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** For a new username or organization key. */
export function isReservedKey(key: string): boolean {
  return isReservedWord(addressWords, key) || isReservedDisplayName(key);
}

/** For the name of a person or an organization, in lower case and NFKC. */
export function isReservedDisplayName(plain: string): boolean {
  const words = plain.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '' && !/^\d+$/.test(word));
  if (isReservedWord(authorityWords, words.join(''))) return true;
  const claims = words.filter((word) => !isReservedWord(fillerWords, word));
  return claims.length > 0 && claims.every((word) => isReservedWord(authorityWords, word));
}

/** Also in the plural, with digits at the end, and with digits for letters: `admins`, `support2`, `adm1n`. */
function isReservedWord(words: ReadonlySet<string>, word: string): boolean {
  const withoutNumber = word.replace(/[-_\d]+$/, '');
  const spelled = withoutNumber.replaceAll(/\d/g, (digit) => lookAlikes[digit] ?? digit);
  const singular = spelled.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
  return [word, withoutNumber, spelled, singular].some((form) => words.has(form));
}
