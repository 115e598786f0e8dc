import { html } from 'ghtml';

import { languageOfText } from '../../foundation/reader-language.ts';
import { clipped, titleCharsMax } from './clipped.ts';

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** A title in large type. A Chinese one breaks between words: a word on two lines is hard to read at this size. */
export function headline(title: string): string {
  const text = clipped(title, titleCharsMax);
  if (languageOfText(text) !== 'zh') return html`${text}`;
  const parts = [...segmenter.segment(text)];
  const broken = parts.map(({ segment, isWordLike }, index) => {
    const before = parts[index - 1];
    const startsWord = isWordLike === true && before?.isWordLike === true;
    return html`!${startsWord ? '<wbr />' : ''}${segment}`;
  });
  return html`<span class="words">!${broken}</span>`;
}
