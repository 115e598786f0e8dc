import { html } from 'ghtml';

import type { ProblemError } from '../../../foundation/problem.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { drafts } from '../../../newsroom/desk/index.ts';
import { form, hidden } from '../../shell/form-controls.ts';
import { say } from '../../shell/words/say.ts';
import { card } from '../components/parts.ts';
import type { DeskVisit } from './desk-frame.ts';
import { DeskRefusal } from './desk-frame.ts';
import { checked, findingsPart } from './item-parts.ts';

/** The words of a draft in one language, and the form that was sent last. */
export interface DraftText {
  readonly language: ReaderLanguage;
  readonly draft: drafts.Draft;
  readonly path: string;
  readonly mayEdit: boolean;
  /** The hidden fields of a form: each has an id of its own. */
  readonly state: () => string;
  readonly problem: ProblemError | undefined;
  readonly typed: Readonly<Record<string, unknown>> | undefined;
}

/** A field without an id of its own: the page has one form per language. */
function area(
  name: string,
  label: string,
  value: string,
  {
    maxLength = 300,
    rows = 2,
    language,
  }: { readonly maxLength?: number; readonly rows?: number; readonly language: ReaderLanguage },
): string {
  return html`<div class="field">
    <label
      >${label}
      <textarea name="${name}" rows="${rows}" maxlength="${maxLength}" lang="${language}">${value}</textarea>
    </label>
  </div>`;
}

/** What was typed into the form with this field in this language. */
function typedIn(
  { typed = {}, language }: DraftText,
  name: 'headline' | 'note',
): Readonly<Record<string, string>> | null {
  if (typed['language'] !== language || typed[name] === undefined) return null;
  return Object.fromEntries(
    Object.entries(typed).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

const refusedFindings = (problem: ProblemError | undefined): readonly string[] | null =>
  problem instanceof DeskRefusal && problem.reason === 'unsupported_text' ? problem.findings : null;

/** Headline and overview in a language. */
export function draftTextCard({ words }: DeskVisit, text: DraftText): string {
  const { language, draft, path, mayEdit, state, problem } = text;
  const now = drafts.wordsOfDraft(draft, language);
  const title = language === 'en' ? say('Text in English') : say('Text in Chinese');
  if (!mayEdit)
    return card({
      title,
      isPadded: true,
      content: html`<p lang="${language}"><strong>${now?.headline ?? ''}</strong></p>
        <p lang="${language}">${now?.overview ?? ''}</p>`,
    });
  const typed = typedIn(text, 'headline');
  const findings = typed === null ? null : refusedFindings(problem);
  const [headline, overview] = [
    typed?.['headline'] ?? now?.headline ?? '',
    typed?.['overview'] ?? now?.overview ?? '',
  ];
  return card({
    title,
    text:
      now === null
        ? say('The report has no text in this language. Enter both a headline and an overview.')
        : say(
            'Your text replaces the generated text in this language. The text in the other language is not changed.',
          ),
    isPadded: true,
    content: html`!${checked(
      `${path}/rewrite/check`,
      form({
        action: `${path}/rewrite`,
        submit: say('Save text'),
        label: `${say('Save text')}: ${title}`,
        fields: html`!${state()}!${hidden('language', language)}
        !${area('headline', say('Headline'), headline, { language })}
        !${area('overview', say('Overview'), overview, { maxLength: 2_000, rows: 5, language })}
        !${
          findings === null
            ? ''
            : area(
                'unverified',
                say('Publish anyway with a statement (public, shown as a note)'),
                typed?.['unverified'] ?? '',
                { maxLength: 400, language },
              )
        }`,
      }),
      `text-${language}`,
    )}
    !${findingsPart(words, findings, `text-${language}`)}`,
  });
}

/** The note of the editors in a language. */
export function draftNoteCard({ words }: DeskVisit, text: DraftText): string {
  const { language, draft, path, mayEdit, state, problem } = text;
  const title = language === 'en' ? say('Editors’ note in English') : say('Editors’ note in Chinese');
  const { note, unverified } = drafts.noteOfDraft(draft, language);
  if (!mayEdit)
    return note === ''
      ? ''
      : card({ title, isPadded: true, content: html`<p lang="${language}">${note}</p>` });
  const typed = typedIn(text, 'note');
  const findings = typed === null ? null : refusedFindings(problem);
  return card({
    title,
    text: say('Leave empty to remove the note.'),
    isPadded: true,
    content: html`!${checked(
      `${path}/note/check`,
      form({
        action: `${path}/note`,
        submit: say('Save note'),
        label: `${say('Save note')}: ${title}`,
        fields: html`!${state()}!${hidden('language', language)}
        !${area('note', say('Editors’ note'), typed?.['note'] ?? note, { maxLength: 1_000, rows: 3, language })}
        !${
          findings === null && unverified === ''
            ? ''
            : area(
                'unverified',
                say('Publish anyway with a statement (public, added to the note)'),
                typed?.['unverified'] ?? unverified,
                { maxLength: 400, language },
              )
        }`,
      }),
      `note-${language}`,
    )}
    !${findingsPart(words, findings, `note-${language}`)}`,
  });
}
