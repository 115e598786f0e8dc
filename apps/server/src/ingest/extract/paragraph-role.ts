import type { TextBlock } from './body-blocks.ts';
import type { ParagraphRole } from './paragraph.ts';

type TextRules = readonly (readonly [role: ParagraphRole, ...forms: readonly string[]])[];

/** Beginnings of short lines that sites put between the paragraphs of an article. */
const shortLines = compile(
  [
    [
      'links',
      String.raw`related\b.{0,4}:|related (?:stories|articles|content|coverage|links|topics|news)`,
      String.raw`read (?:more|also|next)\b|see (?:more|also)\b|also(?: read| see)?:|more:|more (?:on|from|stories|great)\b`,
      String.raw`don.t miss\b|you (?:may|might) also like|recommended\b|trending\b|watch(?: now| live)?:|listen:|video:`,
      String.raw`tags?:|filed under|topics?:|skip to|home$|news$`,
      String.raw`(?:相关|推荐|延伸)(?:阅读|新闻|报道|文章|推荐)|查看更多|更多.{0,6}(?:内容|新闻|精彩|资讯)|(?:热门|精彩).{0,6}推荐|下一篇|上一篇|标签[:：]`,
    ],
    [
      'caption',
      String.raw`photos?:|image(?: copyright| caption| credit)?\b|\(?(?:main |file |lead |header )?(?:image|photo|picture|credit)s?\b[^.]{0,80}\)?$|photo(?:graph)? (?:by|courtesy)`,
      String.raw`this slideshow requires|image \d+ of|caption$|\(graphic:`,
      String.raw`图片来源|图源|图片来自|图为|题图|[▲△▼↑]|图[:：/／]|\(图`,
    ],
    [
      'promotion',
      String.raw`advert(?:isement|isment)?s?$|sponsored|continue reading|(?:story )?continues? below|scroll (?:down|to)`,
      String.raw`sign (?:in|up)\b|log ?in\b|subscribe\b|get (?:the|our|more)\b.{0,80}(?:newsletter|inbox|app|updates)|download (?:the|our)\b|join (?:our|us)\b`,
      String.raw`follow (?:us|him|her|them|@|\w+ (?:on|@))|click here\b|share (?:this|on|via)|tweet$|print$|e-?mail$|(?:post |view )?comments?(?: \(.{0,4}\))?$|\d+ (?:shares?|comments?)$`,
      String.raw`have a (?:news )?tip|advertise with|contact us|close$`,
      String.raw`扫码|关注公众号|点击(?:关注|阅读|查看|下载|投票)|分享(?:到|至)|打开.{0,10}阅读|返回搜狐|举报|订阅$|收藏$|点赞`,
    ],
    [
      'dateline',
      String.raw`posted(?: on| by| in|:)|(?:first )?published\b|updated\b|last (?:updated|modified)|by(?:$| [A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3}(?:\s?[,|·-].{0,80})?$)|source:`,
      String.raw`[(（【]?(?:责任编辑|责编|编辑[:：/]|作者[:：/]|文[/／:：]|撰文|记者[:：]|来源[:：]|本文来源|文章来源|稿源|出处|原标题|发布时间|日期[:：])`,
    ],
    ['disclaimer', String.raw`privacy policy|terms of (?:use|service)`],
    ['biography', String.raw`about the author`],
  ],
  (form) => `^(?:${form})`,
);
const shortWordsMax = 14;

/** Forms of whole paragraphs. */
const anyLines = compile(
  [
    [
      'disclaimer',
      String.raw`^(?:©|copyright ©|\(c\) )|all rights reserved|^(?:the )?contents? of this site`,
      String.raw`^this (?:document|material|article|site|website|post|story) (?:is|may|uses|contains|was|has been|first|originally).{0,120}(?:copyright|affiliate|cookies|permission|reproduced|published|appeared|broadcast|rewritten|syndicated)`,
      String.raw`^(?:we|this site|our (?:web)?site) uses? cookies|(?:accept|reject) all cookies|cookie policy`,
      String.raw`^the (?:views|opinions)\b.{0,60}\b(?:expressed|author)|\b(?:not|no|nor) (?:constitute )?(?:investment|financial|medical|legal) advice|(?:we|may) (?:may )?(?:earn|receive) (?:a |an )?(?:small )?(?:affiliate )?commission`,
      String.raw`^您(?:认为|觉得).{0,40}[?？]$`,
      String.raw`未经.{0,12}(?:授权|许可|允许).{0,12}(?:转载|使用)|转载请(?:注明|联系)|版权(?:声明|所有)|免责声明|(?:仅|不)代表(?:作者|本人|本站|本网)|不构成.{0,10}建议|^[(（](?:应受访者|文中|资料来源|注[:：])|^(?:风险提示|声明)[:：]`,
    ],
    [
      'promotion',
      String.raw`(?:sign up|subscribe|register)\b.{0,80}\b(?:newsletters?|inbox|updates|alerts)\b|\bnewsletters?\b.{0,60}\b(?:sign up|subscribe)`,
      String.raw`subscribe (?:now )?to (?:continue|read|keep|unlock)|to continue reading|already (?:a )?(?:subscriber|member|registered)|(?:log|sign) in to (?:continue|read)`,
      String.raw`\bhave a (?:news )?tip\b|^https?:\/\/\S+$`,
      String.raw`扫(?:描|一扫|码).{0,12}(?:二维码|关注|下载)|(?:微信)?公众号[:：]|^[【\[]点击|【点击.{0,12}】|欢迎(?:关注|订阅|下载|投稿)|客户端下载|火热进行中`,
    ],
    [
      'biography',
      String.raw`\bfollow (?:him|her|them|us|@?\w+) (?:on|at) (?:twitter|x|facebook|instagram|linkedin)\b|\b(?:can|may) be reached (?:at|by)\b|^[\w.+-]+@[\w.-]+$|^@\w+$|^(?:www\.)?twitter\.com\/\w+$`,
      String.raw`^(?:write|e-?mail|contact|reach)\b.{0,60}(?:\S@\S|@\w)|^[\p{Lu}][\p{L}'’. -]{2,40} is written by\b`,
      String.raw`^\W?(?:(?:additional|with|further) )?(?:reporting|reported|writing|written|editing|edited|compiled|translated)(?: and \w+)?(?: for \w+(?: \w+)?)? by\b|\b(?:contributed|contributing) (?:to|reporting)\b.{0,30}(?:report|article|story|post)?\.?$`,
      String.raw`^[\p{Lu}][\p{L}'’.-]+(?: [\p{Lu}][\p{L}'’.-]+){1,3} (?:reported|reports) from\b`,
    ],
    ['dateline', String.raw`^[(（【]?(?:原标题|本文来源|责任编辑)`],
    [
      'correction',
      String.raw`^(?:\W?(?:correction|clarification|editor[’']?s?[’']? note)\b|(?:this|an earlier version of this|a previous version of this) (?:article|story|post|piece|report|headline)\b.{0,80}\b(?:updated|corrected|amended|misstated|incorrectly|clarif\w+)|(?:【|\[|\()?(?:更正|勘误|编者按|编者注|编辑注|编注))`,
    ],
    [
      'caption',
      String.raw`[([](?:[^()[\]]{0,80}\b)?(?:photos?|images?|picture|getty|shutterstock|istock|courtesy|credit|screenshot|screengrab)\b[^()[\]]{0,80}[)\]]\.?$`,
      String.raw`(?:^|[\s|.–—-])(?:photo(?:graph)?|image|picture|credit|illustration|screenshot)s?(?: credit)?\s?(?:[:：]|by\b|courtesy\b|via\b).{2,60}$`,
      String.raw`(?:/|[|–—,©] ?)(?:getty(?: images)?|shutterstock|istock(?:photo)?|afp|reuters|ap|epa|bloomberg)(?: (?:images|photo|file))?\.?$`,
      String.raw`^图(?:为|[:：])|^[▲△▼↑]|(?:截图|资料图|配图|示意图|近影|供图|题图|图片)[。)）]?$|[(（][^()（）]{0,20}(?:图|摄|截图)[^()（）]{0,12}[)）]。?$|(?:记者|社|网).{0,12}摄[。)）]?$`,
    ],
  ],
  (form) => form,
);
const anyWordsMax = 60;
const linkedWordsMax = 30;

function compile(
  rules: TextRules,
  whole: (form: string) => string,
): readonly (readonly [ParagraphRole, RegExp])[] {
  return rules.map(([role, ...forms]) => [role, new RegExp(whole(forms.join('|')), 'iu')]);
}

/** The role of a block by its element and its text alone; `body` if nothing says otherwise. */
export function roleOf(block: TextBlock): ParagraphRole {
  const { linkShare } = block;
  if (block.isCode) return 'code';
  const text = block.text.replace(/^[^\p{L}\p{N}(（【[©@▲△▼↑]+/u, '');
  const words = wordCount(text);
  const short = words <= shortWordsMax ? shortLines.find(([, form]) => form.test(text)) : undefined;
  const long = words <= anyWordsMax ? anyLines.find(([, form]) => form.test(text)) : undefined;
  const byText = short ?? long;
  if (byText !== undefined) return byText[0];
  // A line that is only a link is navigation, unless it is a sentence.
  const isSentence = words > 12 && endsSentence(text) && !isShouted(text);
  if (linkShare > (block.isInList ? 0.6 : 0.8) && words < linkedWordsMax)
    return isSentence ? 'body' : 'links';
  return linkShare > 0.4 && isShouted(text) ? 'links' : 'body';
}

const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const dates = new RegExp(
  String.raw`(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?(?:(?:${months})[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}(?:st|nd|rd|th)? (?:${months})[a-z]*\.?,? \d{4})|\d{4}\s?[-/.年]\s?\d{1,2}\s?[-/.月]\s?\d{1,2}\s?日?|\d{1,2}\s?月\s?\d{1,2}\s?日|\d{1,2}/\d{1,2}/\d{2,4}|\d+ (?:hours?|min(?:ute)?s?|days?|weeks?) ago|\d+\s?(?:小时|分钟|天)前|昨天|今天`,
  'giu',
);
const dateWordsMax = 12;

/** A line of a date with a time, a place or the name of an agency; no sentence. */
export function isOnlyDate(text: string): boolean {
  if (wordCount(text) > dateWordsMax || /[.!?。！？]["”’)]?$/u.test(text.replace(/[ap]\.m\.$/iu, '')))
    return false;
  const rest = text.replaceAll(dates, ' ');
  return rest !== text && wordCount(rest.replaceAll(/\d{1,2}[:：]\d{2}(?:[:：]\d{2})?/gu, ' ')) <= 5;
}

/** An author line at the end of an article. */
const authorLine =
  /^[\p{Lu}][\p{L}'’.-]+(?: [\p{Lu}][\p{L}'’.-]+){0,3},? (?:is|was|IS|has been|covers|writes|reports|joined)\b.{0,200}\b(?:reporter|writer|editor|EDITOR|journalist|correspondent|columnist|author|contributor|blogger|producer|photographer|curator|fellow|professor|analyst|freelance\w*)\b/u;
const authorWordsMax = 60;

/** A note about the author; only a paragraph at the beginning or the end of an article can be one. */
export function isAuthorLine(text: string): boolean {
  return wordCount(text) <= authorWordsMax && authorLine.test(text);
}

/** Words of spaced scripts; two characters of Chinese or Japanese count as one. */
export function wordCount(text: string): number {
  const spaced = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const unspaced = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
  return spaced + Math.floor(unspaced / 2);
}

export function endsSentence(text: string): boolean {
  return /[.!?。！？…"”’)\]]$/u.test(text);
}

function isShouted(text: string): boolean {
  return text.length >= 12 && !/[\p{Ll}\p{Lo}]/u.test(text);
}
