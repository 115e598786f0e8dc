/** Why a name cannot be read as it is written. */
export type NameFault = 'blank-ends' | 'control' | 'direction' | 'invisible' | 'marks';

export const nameFaults: Readonly<Record<NameFault, string>> = {
  'blank-ends': 'must not begin or end with a space',
  control: 'must not contain control characters, line breaks or unassigned characters',
  direction: 'must not contain characters that change the direction of text',
  invisible:
    'must not contain invisible characters, except joiners and word breaks inside words and emoji that are written with them',
  marks: 'must not begin with a combining mark, nor contain more than 10 of them in a row',
};

const pictograph = String.raw`\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0E\uFE0F]?`;
let emojiPattern: RegExp | undefined;
/** As in the list of Unicode, also without its variation selectors. Compiled with its first use: that takes 15 ms. */
function emoji(): RegExp {
  return (emojiPattern ??= new RegExp(
    String.raw`${pictograph}(?:\u200D${pictograph})+|(?:\p{RGI_Emoji}|\p{Extended_Pictographic})[\uFE0E\uFE0F]?|[0-9#*]\uFE0F?\u20E3`,
    'gv',
  ));
}

/** Scripts whose words are written with joiners, that is, with letters that have several forms. */
const joining = [
  'Arab Syrc Mand Nkoo Adlm Rohg Mong Phag Sogd Chrs Phlp Mani',
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt Bali Java Sund Cakm Newa Tirh Sidd Mtei Limb Tglg Laoo Thai',
]
  .join(' ')
  .split(' ')
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** After a letter of these, and before another character: so never at the end. */
const joiner = new RegExp(
  String.raw`(?<=[[${joining}]&&[\p{L}\p{M}]])[\u200C\u200D](?=[^\u200C\u200D])`,
  'gv',
);

/** Between the words of scripts that are written without blanks. */
const wordBreak =
  /(?<=[\p{Script=Khmr}\p{Script=Thai}\p{Script=Laoo}\p{Script=Mymr}\p{Script=Tibt}])\u200B(?=[\p{L}\p{M}\p{N}])/gv;

/** Variants of ideographs and of Mongolian letters. */
const variant =
  /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gv;

/** Default ignorable code points are invisible everywhere; the fillers of Hangul are among them. */
const tests: readonly (readonly [NameFault, RegExp])[] = [
  // The blank of braille is a blank between its cells.
  ['blank-ends', /^[\s\u2800]|[\s\u2800]$/v],
  ['direction', /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/v],
  ['invisible', /[\p{Default_Ignorable_Code_Point}\p{Cf}]/v],
  ['control', /[\p{C}\p{Zl}\p{Zp}]/v],
  ['marks', /^\p{M}|\p{M}{11}/v],
];

/** Null for a name that people can read. */
export function nameFaultOf(name: string): NameFault | null {
  const visible = name
    .replaceAll(emoji(), 'e')
    .replaceAll(joiner, '')
    .replaceAll(variant, '')
    .replaceAll(wordBreak, '');
  return tests.find(([, pattern]) => pattern.test(visible))?.[0] ?? null;
}

/** What two names may differ in without looking different. */
export const unfolded = /[\u200B-\u200D]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]|[\u180B-\u180D]|\u180F/gv;
