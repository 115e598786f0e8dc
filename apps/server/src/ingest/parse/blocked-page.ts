import { htmlText } from './html-text.ts';

/** Pages with status 200 that replace the requested document. */
export type BlockedPage = 'challenge page' | 'consent page';

/** Longer pages that contain these words are ordinary pages. */
const shownCharsMax = 3_000;
const htmlCharsMax = 400_000;

/** Marks of the challenge page itself, which the vendor's scripts on ordinary pages do not have. */
const challengeMarks =
  /_cf_chl_opt|cf-chl-|id="challenge-(?:form|running|stage|error)|captcha-delivery\.com|px-captcha|_Incapsula_Resource|sucuri_cloudproxy|DDoS-Guard|AwsWafIntegration\.|aliyun_waf|acw_sc__v2|anubis_challenge|vercel\.link\/security-checkpoint|geo\.captcha|g-recaptcha-response[^]{0,2000}unusual traffic/u;
const challengeTitles =
  /^(?:just a moment|attention required|one more step|please wait|checking your browser|access denied|pardon our interruption|security check|are you (?:a )?(?:human|robot)|human verification|verify(?:ing)? you are human|robot or human|ddos protection|bot verification|making sure you.re not a bot|vercel security checkpoint|client challenge|安全验证|访问验证|人机验证|验证码|滑动验证|环境异常)/iu;
const challengeWords =
  /checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|not a robot|unusual traffic|enable javascript and cookies|please enable js|complete the (?:captcha|security check)|prove you.re human|ray id|performance (?:&|and) security by|环境异常|完成验证后|请完成安全验证|滑动验证|访问过于频繁|人机验证/iu;
const consentTitles =
  /^(?:before you continue|consent|cookie (?:consent|settings|notice|preferences)|we value your privacy|your privacy (?:choices|settings)|privacy (?:settings|preferences|manager)|datenschutz|zustimmung|bevor sie|avant de continuer)/iu;
const consentWords =
  /before you continue to|accept all (?:cookies)?|reject all|manage (?:your )?(?:cookies?|preferences|options|settings)|we (?:and our (?:\d+ )?partners )?(?:use|store) (?:and\/or access )?(?:cookies|information on)|we value your privacy|your consent|legitimate interest|cookie policy|alle akzeptieren|tout accepter|aceptar todo/giu;

/** Whether a page is a challenge or a consent page; null: neither. */
export function blockedPage(html: string): BlockedPage | null {
  const source = html.slice(0, htmlCharsMax);
  const title = htmlText(/<title[^>]{0,200}>([^]{0,300}?)<\/title/iu.exec(source)?.[1] ?? '');
  const body = source.slice(Math.max(0, source.search(/<body[\s>]/iu)));
  const shown = htmlText(body);
  if (shown.length > shownCharsMax) return null;
  if (
    challengeTitles.test(title) &&
    (challengeMarks.test(source) || challengeWords.test(shown) || shown.length < 600)
  )
    return 'challenge page';
  if (challengeMarks.test(source) && shown.length < 1_000) return 'challenge page';
  if (challengeWords.test(shown) && shown.length < 600) return 'challenge page';
  const consents = new Set(shown.match(consentWords)?.map((words) => words.toLowerCase())).size;
  if (consentTitles.test(title) && (consents > 0 || shown.length < 1_000)) return 'consent page';
  return consents >= 3 ? 'consent page' : null;
}
