/** Hostile text, of every kind that has broken a page somewhere. */
export function hostileTexts(count: number): readonly string[] {
  const texts: string[] = [];
  for (let index = 0; texts.length < count; index += 1) {
    for (const kind of kinds) {
      if (texts.length < count) texts.push(kind(index));
    }
  }
  return texts;
}

const run = 'globalThis.ran=1';
const handlers = [
  'onerror',
  'onload',
  'onclick',
  'onfocus',
  'onmouseover',
  'ontoggle',
  'onanimationstart',
  'onpointerdown',
];
const elements = ['img', 'svg', 'body', 'details', 'video', 'iframe', 'input', 'math', 'object', 'style'];
const controls = [
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2067',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
];
const scripts = [
  '<script>',
  '<ScRiPt >',
  '<script/x>',
  '</title><script>',
  '</script><script>',
  '<!--><script>',
  '<noscript><p title="</noscript><script>',
];

const pick = <One>(list: readonly One[], index: number): One => list[index % list.length] as One;

const kinds: readonly ((index: number) => string)[] = [
  (index) => `${pick(scripts, index)}${run}</script> ${index}`,
  (index) => `<${pick(elements, index)} src=x ${pick(handlers, index)}="${run}" autofocus open>`,
  (index) => `"${' '.repeat(index % 3)}${pick(handlers, index)}="${run}" x="`,
  (index) => `' ${pick(handlers, index)}='${run}`,
  (index) => `<a href="javascript:${run}">${index}</a>`,
  (index) => `<${pick(elements, index)}`,
  (index) => `&lt;script&gt;${run}&lt;/script&gt; &#60;img src=x onerror=${run}&#62; ${index}`,
  (index) => `${pick(controls, index)}reversed${pick(controls, index + 3)} ${index}`.repeat(3),
  (index) => 'W'.repeat(500 * (1 + (index % 20))),
  (index) => '长'.repeat(200 * (1 + (index % 10))),
  (index) => pick(['🎉', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇨🇳'], index).repeat(120),
  (index) => 'Z\u0300\u0301\u0302\u0303\u0304\u0305'.repeat(20 + (index % 40)),
  (index) => `\u200b${'\u200b'.repeat(index % 50)}x ${index}`,
  (index) => `</textarea></style></text></svg><image href="file:///etc/passwd"/>${index}`,
  (index) => `]]><![CDATA[${run}]]> {{constructor.constructor('${run}')()}} \${${run}} ${index}`,
  (index) => `<svg><animate onbegin=${run} attributeName=x dur=1s> ${index}`,
];

/** Where an original must not lead. */
export const hostileUrls = [
  `javascript:${run}`,
  `JaVaScRiPt:${run}`,
  `data:text/html,<script>${run}</script>`,
  'vbscript:x',
  'file:///etc/passwd',
  'https://wire.example/"onmouseover="globalThis.ran=1',
  'https://wire.example/\u202egnp.exe',
] as const;
