/** Properties of a sentence apart from its facts: whether it is self-contained, and whether it is news. */

const leaningStart =
  /^(?:["“‘]?(?:he|she|it|they|his|her|its|their|them|this|that|these|those|such|but|and|or|so|yet|yes|no,|perhaps|indeed|also|however|moreover|meanwhile|then|still|instead|both|neither|another|others?|here|there|thus|therefore|besides|additionally|furthermore|nevertheless|similarly|likewise|even so|in turn|not long after|after that|the same|now (?:he|she|it|they|we)|as a result|for example|for instance|of course|the (?:former|latter|man|woman|men|women|pair|couple|duo|trio|two|patients?)|(?:one|two|three|first|second|third|fourth|finally|lastly|secondly|thirdly),)(?!\p{L}))/iu;
const leaningStartHan =
  /^[“「]?(?:他|她|它|其|这|那|该|此|但|而|并|说这|同时|此外|另外|不过|然而|因此|所以|随后|之后|与此同时|也|还|则|对此|例如|比如|其中|前者|后者|两者|双方|上述|[^，。]{0,8}，(?:他|她|它))/u;

/** "At first they …", "“No,” he said.": a pronoun before any name. */
const earlyPronoun = /^(?:["“][^"“”]*["”] |[^“"]{0,45}?[ ,])(?:he|she|they)\b/u;

/** "Finding water, he said, is …": the speaker is not named before. */
const laterSpeaker = /(?:,|[”"]),? (?:he|she|they) (?:said|says|added|told|wrote|explained|noted)\b/u;
const nameBefore = /^(?:\p{Lu}\.|\p{Lu}\p{Ll}+(?: \p{Lu}\p{L}+)+|(?:Mr|Mrs|Ms|Dr)\. )/u;

/** "Facebook uses this information": not a time, nor what follows in the sentence. */
const pointsBack =
  /\b(?:this|these|those)\b(?! (?:week|weekend|month|year|quarter|season|spring|summer|autumn|fall|winter|morning|afternoon|evening|decade|century|time|is|was|who|of|to)\b|[’'.,])/iu;

/** The sentence before contains its subject. 该公司 and 此前 depend on it as well. */
export function leansOnSentenceBefore(sentence: string): boolean {
  if (leaningStart.test(sentence) || leaningStartHan.test(sentence)) return true;
  if (pointsBack.test(sentence)) return true;
  if (laterSpeaker.test(sentence) && !nameBefore.test(sentence)) return true;
  const before = earlyPronoun.exec(sentence)?.[0];
  // The first word has a capital in any case.
  return before !== undefined && !/\p{Lu}|\d/u.test(before.slice(2)) && !subordinate.test(sentence);
}

const speakerBefore =
  /^(?:he|she|they) (?:added|said|says|told|also|then)\b|^(?:他|她|其)(?:还|也|说|表示|称|指出|补充)/iu;
const turn = /^(?:[^,.;“"]{2,60}, (?:however|meanwhile|too|though), |(?:\S+ ){1,5}also )/iu;

/** "She added that …": incomplete even as the first sentence of a text. */
export function lacksSpeaker(sentence: string): boolean {
  return speakerBefore.test(sentence);
}

/** "Courts, however, …", "The company also …": a summary does not begin with it. */
export function continuesText(sentence: string): boolean {
  return lacksSpeaker(sentence) || turn.test(sentence);
}

/** "While his rivals waited, Mara Quill …": the subject follows. */
const subordinate =
  /^(?:while|as|after|before|although|though|despite|with|because|since|when|if|even (?:if|though)|once|until|unlike|like|in (?:his|her|their)|for (?:his|her|their)|on (?:his|her|their)|(?:a|an|the|two|three|some|many|most|more|all)\b)/iu;

const boilerplate =
  /\b(?:read more|subscribe|sign up|newsletter|click here|all rights reserved|cookies?|advertisement|sponsored|follow us|share this|photo(?:graph)? by|image (?:credit|courtesy)|getty images|terms of (?:use|service)|privacy policy|this (?:article|post|story) (?:was|first) (?:originally )?(?:appeared|published)|affiliate|commission|appeared first on|get access to|delivered (?:to|through) your|for as little as|listen to this|watch the video|contact the (?:author|reporter)|copyright)\b/iu;
/** Statements of a publisher about itself, its reporter or its readers. */
const aboutThePage =
  /\b(?:requests? for comment|declined to comment|(?:immediately )?respond(?:ed)? to (?:\p{L}+ ){0,3}requests?|(?:is|are) headquartered in|is an? (?:global|leading)\b.{0,60}\b(?:provider|supplier|manufacturer|platform)|registered shares\b|asking .{0,40} for comment|will update this|originally published|the (?:views|opinions)(?: and opinions)? expressed|for more (?:information|details|insights|news|stories)|visit [\p{L}\d-]+\.(?:com|org|net|io|ai|co)|(?:lives?|living|resides?) (?:in|near) .{0,60}\bwith (?:his|her|their) (?:husband|wife|partner|family|dogs?|cats?|(?:two|three|four) )|is produced (?:daily|weekly|monthly)|compensated by|opinions are (?:mine|my own)|we (?:may )?earn|stay tuned|let us know|(?:mail|send|write|e-?mail) us\b|read our|visit our|in the comments|catch up on|editing by|additional reporting|is written by|be sure to|on facebook|headlines .{0,40}are here|check out|may not be (?:published|reproduced|redistributed))\b|\b(?:more|that|details|links?) (?:is|are) below\b|^(?:updated|published|posted|good (?:morning|evening)|hello|welcome|editor[’']s note|disclosure|disclaimer|reporting by|provided by|with reporting|(?:photo|image|video|credit|source|via)\s?:)|^[[(].*[)\]]\.?$|^\[[^\]]{1,20}\]|^[QA]:|\bnow you can (?:hear|listen|watch|read)\b|^(?:includes|features|comes|offers|starts|requires|contains|supports|available|starring)\b|\bdoi:|doi\.org/iu;
const boilerplateHan =
  /责任编辑|編輯[：:]|编辑[：:]|本文来自|本文作者|转载|版权所有|扫码|扫描二维码|点击(?:查看|阅读|下方)|关注我们|欢迎关注|图源|图片来源|原标题|免责声明|广告声明|投稿|加入群|公众号|小编|截至发稿|尚未收到.{0,4}回[应复]|文末|敬请期待|感兴趣的.{0,8}可以|^(?:大家好|(?:作者|来源|题图|封面|编译|整理|出品|记者|声明)[：:])/u;
/** The end of a complete sentence; a line without it is a heading, a caption or a list. */
const sentenceEnd = /[.!?…。！？][)\]"”’'」』]*$/u;

export function isBoilerplate(sentence: string): boolean {
  if (!sentenceEnd.test(sentence) || hasOpenQuotation(sentence)) return true;
  if (/https?:\/\/|www\.|@\w+\.\w|<\/?\w+[^>]*>/u.test(sentence)) return true;
  // Source code.
  if (/[{}]|\(\);|=>|&&|\|\||; \/\/|\w\[\w+\] =/u.test(sentence)) return true;
  // A feed's text that is cut off ends like this.
  if (/(?:…|\.\.)[)\]"”’'」』]*$/u.test(sentence)) return true;
  // Questions and exclamations contain no information.
  if (/[?？!！]["”’'」』]*$/u.test(sentence)) return true;
  const forms = [boilerplate, aboutThePage, boilerplateHan];
  return (
    forms.some((form) => form.test(sentence)) ||
    isTooShort(sentence) ||
    isFragment(sentence) ||
    isBareQuotation(sentence)
  );
}

/** Part of a longer quotation, or its end. */
function hasOpenQuotation(sentence: string): boolean {
  const count = (form: RegExp): number => sentence.match(form)?.length ?? 0;
  return (
    count(/“/gu) !== count(/”/gu) ||
    count(/「/gu) !== count(/」/gu) ||
    count(/"/gu) % 2 === 1 ||
    count(/\(/gu) !== count(/\)/gu)
  );
}

function isTooShort(sentence: string): boolean {
  const han = sentence.match(/\p{Script=Han}/gu)?.length ?? 0;
  return han > 0 ? sentence.length < 8 : sentence.length < 20;
}

/** "Space Vizzion Concept.", "DL Chris Smith 29 39% 1 assist.": a caption or a row of a table that ends like a sentence. */
function isFragment(sentence: string): boolean {
  if (/\p{Script=Han}/u.test(sentence)) return false;
  const tokens = sentence.split(/\s+/u);
  const words = tokens.filter((token) => /^["“‘(]*\p{Ll}/u.test(token)).length;
  const figures = tokens.filter((token) => /\d/u.test(token)).length;
  return words < 2 || (figures > 2 && figures > words);
}

const quotation = /“[^“”]*”|"[^"]*"|「[^「」]*」/gu;

/** Speech, or the author's own voice: it adds colour and says little about the subject of an item. */
export function isSpeech(sentence: string): boolean {
  const unquoted = sentence.replace(quotation, '');
  return isFirstPerson(unquoted) || unquoted.length < sentence.length / 2;
}

export function isFirstPerson(sentence: string): boolean {
  const unquoted = sentence.replace(quotation, '');
  return /(?<!\p{L})(?:I|I[’'](?:m|ve|d|ll)|my|My|me)(?![\p{L}\p{N}.])|^(?:我|咱)(?!国|们国|市|省|县|区|党|军)/u.test(
    unquoted,
  );
}

/** Nothing but the words of a speaker, who is not named. */
function isBareQuotation(sentence: string): boolean {
  return (sentence.replace(quotation, '').match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3;
}
