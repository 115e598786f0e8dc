import emojiData from 'emojibase-data/en/compact.json' with { type: 'json' };

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
const twoLetters = letters.flatMap((one) => letters.map((other) => one + other));
/** Locales with a script of their own, beside those named by two or three letters. */
const otherLocales =
  'ff-Adlm mni-Mtei az-Cyrl uz-Arab pa-Arab sd-Deva zh-Hant sr-Latn chr nqo sat vai syr zgh ccp cu';
const territories = [
  'DE',
  'EG',
  'FR',
  'JP',
  'IN',
  'CN',
  'US',
  'BR',
  'RU',
  'ZA',
  'IR',
  'LK',
  'TH',
  'GB',
  'KR',
];
const languages = ['ar', 'hi', 'fa', 'en', 'zh', 'ta', 'si', 'bn', 'ku', 'my'];
const endings = ['.txt', ' 2026.pdf', ' (2).docx', '.tar.gz', ''];

/** Names of territories and languages, as people write them in the language of each locale. */
export function realNames(): readonly string[] {
  const threeLetters = twoLetters.flatMap((two) => letters.map((letter) => two + letter));
  const codes = [...twoLetters, ...threeLetters, ...otherLocales.split(' ')];
  const names = Intl.DisplayNames.supportedLocalesOf(codes).flatMap((locale) => [
    ...territories.map((code) => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? ''),
    ...languages.map((code) => new Intl.DisplayNames(locale, { type: 'language' }).of(code) ?? ''),
  ]);
  // What is written with a stroke, or wrongly begins with a mark, is no name of a file.
  const plain = names.filter((name) => !/^\p{M}|\//u.test(name));
  return [...new Set(plain)].map((name, index) => `${name}${endings[index % endings.length]}`);
}

/** Words with joiners, as in the documents of their readers. */
export const joinedNames = [
  'می‌خواهم.txt',
  'کتاب‌ها و نامه‌ها.pdf',
  'سال ۱۳۹۹ ه‍.ش.docx',
  'क्‍षेत्र.txt',
  'र्‍यास.md',
  'ශ්‍රී ලංකා.txt',
  'ক্‌ষ.txt',
  'ക്‍ഷ.txt',
  'ಕ್‌ಷ.pdf',
  'دەنگ‌وباس.txt',
  'កូរ៉េ\u200Bខាង\u200Bត្បូង.txt',
  '葛\u{E0100}城市.txt',
  '⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙.brf',
];

const furtherScripts =
  'Ahom Bali Bamu Bass Batk Bopo Brah Bugi Buhd Cham Copt Dsrt Goth Hira Java Lana Lepc Limb Lisu Mand Mong Mtei Newa Osge Rjng Rohg Runr Saur Sund Sylo Tagb Takr Tale Talu Tavt Thaa Tirh Wara Xsux Hmnp';

/** A word of the first letters of a script that has no locale. */
export function lettersOfScripts(): readonly string[] {
  return furtherScripts.split(' ').map((script) => {
    const isLetter = new RegExp(String.raw`^[\p{Script=${script}}&&\p{L}]$`, 'v');
    const found: string[] = [];
    for (let point = 0x250; point < 0x1f000 && found.length < 6; point += 1) {
      const letter = String.fromCodePoint(point);
      if (isLetter.test(letter)) found.push(letter);
    }
    return `${found.join('')}.txt`;
  });
}

/** Every emoji of the list, with its skin tones. */
export function emojiNames(): readonly string[] {
  const emojis = emojiData.flatMap((emoji) => [emoji, ...('skins' in emoji ? (emoji.skins ?? []) : [])]);
  return [...new Set(emojis.map(({ unicode }) => unicode))];
}

export function scriptsIn(names: readonly string[]): ReadonlySet<string> {
  const known =
    `${furtherScripts} Adlm Arab Armn Beng Cakm Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Kana Khmr Knda Laoo Latn Mlym Mymr Nkoo Olck Orya Sinh Syrc Taml Telu Tfng Thai Tibt Vaii Yiii Brai`.split(
      ' ',
    );
  const text = names.join('');
  return new Set(known.filter((script) => new RegExp(String.raw`\p{Script=${script}}`, 'u').test(text)));
}

const points = (...ranges: readonly (readonly [number, number])[]): readonly string[] =>
  ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );

/** Names that look like another name, like nothing, or like another kind of file. */
export function deceptiveNames(): readonly string[] {
  const controls = points(
    [0, 31],
    [127, 159],
    [0x2028, 0x2029],
    [0xfff9, 0xfffb],
    [0xe000, 0xe004],
    [0xfffe, 0xffff],
  );
  const turning = points([0x61c, 0x61c], [0x200e, 0x200f], [0x202a, 0x202e], [0x2066, 0x2069]);
  const unseen = points(
    [0xad, 0xad],
    [0x34f, 0x34f],
    [0x115f, 0x1160],
    [0x17b4, 0x17b5],
    [0x180e, 0x180e],
    [0x200b, 0x200d],
    [0x2060, 0x2064],
    [0x3164, 0x3164],
    [0xfe00, 0xfe0f],
    [0xfeff, 0xfeff],
    [0xffa0, 0xffa0],
    [0xe0001, 0xe0001],
    [0xe0041, 0xe005a],
  );
  const blanks = points([0x20, 0x20], [0xa0, 0xa0], [0x2000, 0x200a], [0x2800, 0x2800], [0x3000, 0x3000]);
  return [
    ...[...controls, ...turning, ...unseen].flatMap((point) => [
      `${point}report.pdf`,
      `invoice${point}fdp.exe`,
    ]),
    ...unseen.flatMap((point) => [point, point.repeat(3)]),
    ...blanks.flatMap((blank) => [blank, `${blank}a`, `a${blank}`]),
    ...points([0x300, 0x340]).flatMap((mark) => [`${mark}a`, `a${mark.repeat(14)}`]),
    '.',
    '..',
    '../a',
    'a/b',
    'a\\b',
    '..\\..\\a',
  ];
}
