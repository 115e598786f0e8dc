import { html } from 'ghtml';

interface Person {
  readonly name: string;
  readonly pictureId: string | null;
}

export const picturesPath = '/pictures';

const sizes = { small: 32, large: 96 } as const;

/** The picture of an account, or the initials of the name. It is shown beside the name, so screen readers skip it. */
export function personPicture({ name, pictureId }: Person, size: keyof typeof sizes = 'small'): string {
  if (pictureId === null)
    return html`<span class="picture initials ${size}" aria-hidden="true">${initialsOf(name)}</span>`;
  const side = sizes[size];
  return html`<img
    class="picture ${size}"
    src="${picturesPath}/${pictureId}"
    width="${side}"
    height="${side}"
    alt=""
  />`;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Of the first word and the last. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words;
  return ends
    .map((word) => graphemes.segment(word ?? '').containing(0)?.segment ?? '')
    .join('')
    .toUpperCase();
}
