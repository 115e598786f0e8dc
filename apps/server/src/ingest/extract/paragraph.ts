/** What a paragraph of a page is. Only standfirst and body are the text of an article. */
export type ParagraphRole =
  | 'headline'
  | 'standfirst'
  | 'body'
  | 'caption'
  | 'biography'
  | 'dateline'
  | 'promotion'
  | 'links'
  | 'disclaimer'
  | 'correction'
  | 'code';

export interface Paragraph {
  readonly role: ParagraphRole;
  readonly text: string;
}
