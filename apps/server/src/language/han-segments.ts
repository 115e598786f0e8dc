const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** The words of a Chinese text by the runtime's dictionary, which the weights of answers were trained with. */
export function segmentHan(text: string): { readonly text: string }[] {
  return [...segmenter.segment(text)].map(({ segment }) => ({ text: segment }));
}
