import { hanCharacter, hanRuns, hanWords } from './language/han-text.ts';
import {
  commonBeforeEnding,
  modernHanWords,
  namingEnding,
  ordinaryHan,
  organizationEnding,
  transliterating,
} from './ordinary-words.ts';

/** After these surnames, a person's whole name often consists of dictionary words. */
const compoundSurname =
  /(?:欧阳|司徒|司马|上官|诸葛|夏侯|东方|皇甫|尉迟|公孙|慕容|长孙|宇文|鲜于|令狐|端木|南宫|轩辕|闻人|微生)\p{Script=Han}/gu;

/** The words between a title and a verb are a name, whatever they mean. */
const titledPerson =
  /(?<=执行官|技术官|运营官|财务官|科学家|负责人|总裁|创始人|董事长|主席|总监|经理|教授|分析师|部长|局长|主任|院长)\p{Script=Han}{2,4}?(?=表示|称|说|认为|指出|透露|提醒|回应|写道|宣布|对|将|在|已|于|离)/gu;

/** Offices that a text about another one does not mention. */
const publicBody =
  /海关|廉署|金管局|证监会|港交所|国务院|外交部|商务部|财政部|国防部|入境处|卫生署|教育局|消防处|税务局|最高法院|立法会|联合国|世卫/gu;

/** Longer parts are composed of shorter ones. */
const pieceMax = 12;

interface Piece {
  readonly text: string;
  readonly start: number;
}

/**
 * Chinese has no capitals. A string counts as a name if it is neither in the texts, nor a word of the dictionary,
 * nor made of characters that are words by themselves: a string that the segmenter splits into single unusual
 * characters is an unknown name. A dictionary word is a name before an ending such as 实验室. `known` are names made of
 * ordinary words, which would otherwise count as words.
 */
export function unsupportedHanNames(
  sentence: string,
  texts: readonly string[],
  known: readonly string[],
  isTranslated = !texts.some((text) => hanCharacter.test(text)),
): string[] {
  const isStated = (part: string): boolean => texts.some((text) => text.includes(part));
  const missing = known.filter((name) => sentence.includes(name) && !isStated(name));
  missing.push(...(isTranslated ? [] : (sentence.match(publicBody) ?? []).filter((name) => !isStated(name))));
  missing.push(...personNames(sentence).filter((name) => !isStated(name)));
  for (const run of hanRuns(sentence)) {
    for (const name of run.match(/\p{Script=Han}{1,8}(?:·\p{Script=Han}{1,8})+/gu) ?? []) {
      if (!isStated(trimToName(name, isStated))) missing.push(name);
    }
    for (const part of run.split('·').filter((one) => !isStated(one)))
      missing.push(
        ...unsupportedParts(part, isStated).filter((name) =>
          isTranslated ? isForeignName(name, part) : name.length > 1 || isNameCharacter(name, part),
        ),
      );
  }
  return [...new Set(missing)];
}

/** Names of a Chinese text, as far as they differ from words without a second text to compare. */
export function findHanNames(text: string): string[] {
  const none = (): boolean => false;
  const names = hanRuns(text).flatMap((run) =>
    run.split('·').flatMap((part) =>
      unsupportedParts(part, none).flatMap((name) => {
        const after = part.slice(part.indexOf(name) + name.length);
        const ending = organizationEnding.exec(after)?.[0] ?? '';
        return name.length > 1 || ending !== '' ? [name + ending] : [];
      }),
    ),
  );
  return [...new Set([...names, ...personNames(text)])];
}

function personNames(text: string): string[] {
  return [...(text.match(compoundSurname) ?? []), ...(text.match(titledPerson) ?? [])];
}

/**
 * With Chinese sources, one unusual character distinguishes names. In a translation every word is new, and an unusual
 * string is mostly a word that the dictionary lacks, unless it is a transliteration or has an organization's ending.
 */
function isForeignName(name: string, run: string): boolean {
  const sounds = name.split('').filter((character) => transliterating.has(character)).length;
  const after = run.slice(run.indexOf(name) + name.length);
  return (name.length > 1 && sounds * 2 >= name.length) || organizationEnding.test(after);
}

/** Surnames that are rarely words. */
export const surname =
  /^[赵钱孙李吴郑冯陈褚卫蒋沈韩杨朱秦许吕张孔曹魏陶姜谢邹喻潘葛范彭鲁韦俞袁柳鲍唐薛贺倪滕罗郝邬安康伍卜顾孟黄穆萧尹姚邵汪祁毛禹狄贝臧宋庞熊纪舒屈项祝董梁杜阮蓝闵贾娄颜郭梅林刁钟徐邱骆夏蔡樊胡凌霍虞柯管卢莫房缪丁邓郁崔龚程嵇邢裴陆荣翁荀惠曲焦侯邝廖刘叶温庄阎蒲聂谭黎戴甄周王马何余苏岑麦练盖帅傅雷汤尤齐卞]/u;

/** One character that the texts lack is a part of a name only in a transliteration or after a surname: 说 and 为 are not. */
function isNameCharacter(character: string, run: string): boolean {
  const at = run.indexOf(character);
  if (transliterating.has(character) || surname.test(character) || organizationEnding.test(run.slice(at + 1)))
    return true;
  const segments = hanWords(run).filter(({ text }) => text.length === 1);
  const isSingle = (index: number): boolean => segments.some(({ start }) => start === index);
  return (
    (isSingle(at - 1) && surname.test(run[at - 1] ?? '')) ||
    (isSingle(at - 2) && isSingle(at - 1) && surname.test(run[at - 2] ?? ''))
  );
}

/** Removes words before the first part of a name and after its last, as long as the rest is not stated. */
function trimToName(name: string, isStated: (part: string) => boolean): string {
  const parts = name.split('·');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const middle = parts.slice(1, -1);
  for (let from = 0; from < first.length; from += 1) {
    for (let to = last.length; to > 0; to -= 1) {
      const candidate = [first.slice(from), ...middle, last.slice(0, to)].join('·');
      const restIsStated = [first.slice(0, from), last.slice(to)].every(
        (rest) => rest === '' || isOrdinary(rest) || isStated(rest),
      );
      if (restIsStated && isStated(candidate)) return candidate;
    }
  }
  return name;
}

function isOrdinary(text: string): boolean {
  return hanWords(text).every(({ text: part }) => part.length > 1 || ordinaryHan.has(part));
}

/** The characters of the run that no permitted piece covers, joined if adjacent. */
function unsupportedParts(run: string, isStated: (part: string) => boolean): string[] {
  const segments = hanWords(run);
  const endings = new Map<number, number[]>();
  const permit = (start: number, end: number): void => {
    endings.set(start, [...(endings.get(start) ?? []), end]);
  };
  segments.forEach(({ text, start }) => {
    const end = start + text.length;
    if (text.length > 1) permit(start, end);
  });
  for (let start = 0; start < run.length; start += 1) {
    if (ordinaryHan.has(run[start] ?? '')) permit(start, start + 1);
    let stated = true;
    for (let end = start + 2; end <= Math.min(run.length, start + pieceMax); end += 1) {
      const piece = run.slice(start, end);
      stated &&= isStated(piece);
      if (stated || modernHanWords.has(piece)) permit(start, end);
    }
  }
  return [
    ...uncovered(run, endings),
    ...namedByEnding(run, segments).filter(
      (name) => !isStated(name) && !isStated(`${name[0] ?? ''}${name.at(-1) ?? ''}`),
    ),
  ];
}

/** Dictionary words that an ending turns into a name. */
function namedByEnding(run: string, segments: readonly Piece[]): string[] {
  return segments.flatMap(({ text, start }) => {
    const ending = namingEnding.exec(run.slice(start + text.length))?.[0];
    return ending === undefined || text.length < 2 || commonBeforeEnding.has(text) ? [] : [text + ending];
  });
}

/** The cover that leaves the fewest characters uncovered, and these characters. */
function uncovered(run: string, endings: ReadonlyMap<number, readonly number[]>): string[] {
  const cost = Array.from({ length: run.length + 1 }, () => 0);
  const next = Array.from({ length: run.length + 1 }, (_, at) => at + 1);
  for (let at = run.length - 1; at >= 0; at -= 1) {
    cost[at] = 1 + (cost[at + 1] ?? 0);
    for (const end of endings.get(at) ?? []) {
      if ((cost[end] ?? 0) < (cost[at] ?? 0)) {
        cost[at] = cost[end] ?? 0;
        next[at] = end;
      }
    }
  }
  const bare: string[] = [];
  let [at, open] = [0, ''];
  while (at < run.length) {
    const step = next[at] ?? at + 1;
    const isBare = step === at + 1 && cost[at] === 1 + (cost[step] ?? 0);
    if (isBare) open += run[at];
    else if (open !== '') {
      bare.push(open);
      open = '';
    }
    at = step;
  }
  return open === '' ? bare : [...bare, open];
}
