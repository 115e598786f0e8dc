import { html } from 'ghtml';

import type { answers } from '../../../agents/index.ts';
import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { notice } from '../../shell/form-controls.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { ago } from '../components/moments.ts';
import { card, emptyState, rows } from '../components/parts.ts';
import type { AnswerWords } from './answer-words.ts';

type Sentence = answers.ReadAnswer['sentences'][number];

/** Who wrote the answer, and why no model did if one was asked. */
function authorship({ by, model }: answers.ReadAnswer['answer'], words: AnswerWords): string {
  const outcome = model === null ? '' : words.outcomes[model.outcome];
  return html`<p class="hint">${outcome === '' ? words.by[by] : outcome}</p>`;
}

/** The sentences, each with its source beside it, what contradicts, and what was left out. */
export function answerContent(
  read: answers.ReadAnswer,
  words: AnswerWords,
  language: InterfaceLanguage,
  now: EpochMicroseconds,
): string {
  const { sentences, sources, answer } = read;
  const sourceOf = ({ cites: [cite] }: Sentence): answers.CitableSource | undefined =>
    sources.find(({ kind, id }) => kind === cite?.kind && id === cite.id);
  const quoted = sentences.map((sentence) => {
    const source = sourceOf(sentence);
    return { title: sentence.text, text: source === undefined ? '' : citation(source, sentence, words) };
  });
  const content =
    sentences.length === 0
      ? emptyState({ icon: 'search', ...nothingOf(read, words) })
      : card({ title: words.answer, content: rows(quoted) });
  return html`<p class="hint">!${words.askedAt(ago(answer.createdAt, now, language))}</p>
    !${authorship(answer, words)} !${content} !${contradictions(read, words)} !${leftOut(read, words)}`;
}

/** Only a list of corrections can be empty without a question that is not answered. */
function nothingOf({ leftOut: missing }: answers.ReadAnswer, words: AnswerWords) {
  return missing.length === 0
    ? { title: words.noCorrections, text: words.noCorrectionsText }
    : { title: words.nothing, text: words.nothingText };
}

/** Opens the source at the sentence, in browsers that know text fragments. */
function citation(source: answers.CitableSource, sentence: Sentence, words: AnswerWords): string {
  const { text, cites } = sentence;
  const href = addressOf(source, sentence);
  const origin = [
    ...(source.publisher === null ? [] : [html`${source.publisher}`]),
    ...(source.day === null ? [] : [html`<span class="unbroken">${source.day}</span>`]),
  ].join(', ');
  const quotes = cites.filter((cite) => cite.quote !== text).map((cite) => html`<q>${cite.quote}</q> `);
  return html`${words.quotedFrom} <a href="${href}">${source.title}</a>!${origin === '' ? '' : ` (${origin})`}
    !${quotes}`;
}

/** The page of a file's text marks the passage, and works without text fragments. */
function addressOf({ kind, url, title }: answers.CitableSource, { text, cites: [cite] }: Sentence): string {
  // The list of corrections has other words.
  if (kind === 'correction') return url;
  if (kind !== 'file' || cite === undefined) return `${url}#:~:text=${fragment(cite?.quote ?? text)}`;
  const textAt = title.length + 1;
  if (cite.start < textAt) return url;
  return `${url}?start=${cite.start - textAt}&end=${cite.end - textAt}#passage`;
}

/** A hyphen has a meaning in text fragments. */
function fragment(text: string): string {
  return encodeURIComponent(text).replaceAll('-', '%2D');
}

function contradictions(
  { contradictions: pairs, sentences }: answers.ReadAnswer,
  words: AnswerWords,
): string {
  return pairs
    .map((pair) =>
      notice(
        'plain',
        html`<p>${words.contradiction}</p>
          <ul>
            !${pair.map((at) => html`<li>${sentences[at]?.text ?? ''}</li>`)}
          </ul>`,
      ),
    )
    .join('');
}

/** No space follows a Chinese colon. */
const joined = (lead: string, text: string): string =>
  lead.endsWith('：') ? `${lead}${text}` : `${lead} ${text}`;

function leftOut({ leftOut: parts }: answers.ReadAnswer, words: AnswerWords): string {
  if (parts.length === 0) return '';
  const lines = parts.map(({ reason, text, kinds }) => {
    const unsupported = kinds.length === 0 ? '' : ` ${joined(words.unsupportedParts, kinds.join(', '))}`;
    return html`<li>
      ${text === null ? words.reasons[reason] : joined(words.reasons[reason], text)}${unsupported}
    </li>`;
  });
  const title = parts.every(({ reason }) => reason === 'unanswered') ? words.notAnswered : words.leftOut;
  return html`<h2>${title}</h2>
    <ul>
      !${lines}
    </ul>`;
}
