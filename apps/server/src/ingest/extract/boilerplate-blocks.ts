import type { TextBlock } from './body-blocks.ts';

/** Beginnings of short lines that sites put between the paragraphs of an article. */
const shortLines = new RegExp(
  `^(?:${[
    String.raw`related\b.{0,4}:|related (?:stories|articles|content|coverage|links|topics|news)`,
    String.raw`read (?:more|also|next)\b|see (?:more|also)\b|also(?: read| see)?:|more:|more (?:on|from|stories)\b`,
    String.raw`don.t miss\b|you (?:may|might) also like|recommended\b|trending\b|watch(?: now| live)?:|listen:|photos?:|video:`,
    String.raw`image(?: copyright| caption| credit)?\b|\(?(?:image|photo|picture|credit)s?\b[^.]{0,80}\)?$|photo(?:graph)? (?:by|courtesy)`,
    String.raw`advert(?:isement|isment)?s?$|sponsored|continue reading|(?:story )?continues? below|scroll (?:down|to)|skip to`,
    String.raw`sign (?:in|up)\b|log ?in\b|subscribe\b|get (?:the|our|more)\b.{0,80}(?:newsletter|inbox|app|updates)|download (?:the|our)\b|join (?:our|us)\b`,
    String.raw`follow (?:us|him|her|them|@|\w+ (?:on|@))|click here\b|share (?:this|on|via)|tweet$|print$|e-?mail$|comments?$|\d+ (?:shares?|comments?)$`,
    String.raw`posted(?: on| by| in|:)|published\b|updated\b|last (?:updated|modified)|by [A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}(?:\s?[,|·-].{0,80})?$`,
    String.raw`tags?:|filed under|topics?:|source:|have a (?:news )?tip|about the author|privacy policy|terms of (?:use|service)|advertise with|contact us`,
    String.raw`this slideshow requires|image \d+ of|caption$|close$|home$|news$`,
    String.raw`责任编辑|编辑[:：]|作者[:：]|来源[:：]|原标题|相关阅读|推荐阅读|延伸阅读|扫码|关注公众号|点击(?:关注|阅读|查看|下载)|分享(?:到|至)|打开.{0,10}阅读|图片来源|图源|返回搜狐|查看更多|举报`,
  ].join('|')})`,
  'iu',
);
const shortWordsMax = 14;

/** Whole paragraphs that are about the site and not about the news. */
const anyLines = new RegExp(
  [
    String.raw`^(?:©|copyright ©|\(c\) )|all rights reserved|^(?:the )?contents? of this site`,
    String.raw`^this (?:document|material|article|site|website|post) (?:is|may|uses|contains|has been).{0,120}(?:copyright|affiliate|cookies|permission|reproduced|published|broadcast|rewritten)`,
    String.raw`^(?:we|this site|our (?:web)?site) uses? cookies|(?:accept|reject) all cookies|cookie policy`,
    String.raw`(?:sign up|subscribe|register)\b.{0,80}\b(?:newsletters?|inbox|updates|alerts)\b|\bnewsletters?\b.{0,60}\b(?:sign up|subscribe)`,
    String.raw`subscribe (?:now )?to (?:continue|read|keep|unlock)|to continue reading|already (?:a )?(?:subscriber|member|registered)|(?:log|sign) in to (?:continue|read)`,
    String.raw`\bfollow (?:him|her|them|us|@?\w+) (?:on|at) (?:twitter|x|facebook|instagram|linkedin)\b|\b(?:can|may) be reached (?:at|by)\b|\bhave a (?:news )?tip\b|^https?:\/\/\S+$`,
    String.raw`未经.{0,12}(?:授权|许可|允许).{0,12}(?:转载|使用)|转载请(?:注明|联系)|版权(?:声明|所有)|免责声明|扫(?:描|一扫).{0,12}二维码|(?:微信)?公众号[:：]`,
  ].join('|'),
  'iu',
);
const anyWordsMax = 60;
const linkedWordsMax = 30;

/** Whether a block of an article's body is the site's rather than the article's. */
export function isBoilerplate(block: TextBlock): boolean {
  const { linkShare } = block;
  const text = block.text.replace(/^[^\p{L}\p{N}(©]+/u, '');
  const words = wordCount(text);
  if (words <= shortWordsMax && shortLines.test(text)) return true;
  if (words <= anyWordsMax && anyLines.test(text)) return true;
  // A line that is only a link is navigation, unless it is a sentence.
  const isSentence = words > 12 && endsSentence(text) && !isShouted(text);
  if (linkShare > (block.isInList ? 0.6 : 0.8) && words < linkedWordsMax) return !isSentence;
  return linkShare > 0.4 && isShouted(text);
}

/** Headings and marks that end an article or a company's announcement. */
const endings =
  /^(?:about the authors?$|(?:media|press|investor) (?:contacts?|relations|inquiries)\b|contacts?:?$|forward-looking statements?|safe harbor|# ?# ?#$|comments?$|leave a (?:comment|reply)|媒体联系|免责声明)/iu;
const endingWordsMax = 8;
/** An author line at the end of an article. */
const authorLine =
  /^[\p{Lu}][\p{L}'.-]+(?: [\p{Lu}][\p{L}'.-]+){0,3},? (?:is|was|has been|covers|writes|reports|joined)\b.{0,200}\b(?:reporter|writer|editor|journalist|correspondent|columnist|author|contributor|blogger|producer|photographer)\b/u;
const authorWordsMax = 60;

/** Removes the blocks that follow an article inside its own element. */
export function withoutEnding(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const half = Math.floor(blocks.length / 2);
  const ending = blocks.findIndex(
    ({ text }, at) => at > half && wordCount(text) <= endingWordsMax && endings.test(text),
  );
  const article = ending === -1 ? [...blocks] : blocks.slice(0, ending);
  const last = article.at(-1)?.text ?? '';
  if (article.length > 3 && wordCount(last) <= authorWordsMax && authorLine.test(last)) article.pop();
  return article;
}

/** Words of spaced scripts; two characters of Chinese or Japanese count as one. */
export function wordCount(text: string): number {
  const spaced = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return spaced + Math.floor(unspaced / 2);
}

function endsSentence(text: string): boolean {
  return /[.!?。！？…"”’)\]]$/u.test(text);
}

function isShouted(text: string): boolean {
  return text.length >= 12 && !/[\p{Ll}\p{Lo}]/u.test(text);
}
