import { html } from 'ghtml';

import { scripts } from '../../shell/assets.ts';
import { dataBlock } from '../../shell/frame.ts';
import type { DeskWords } from '../../shell/words/desk-english.ts';
import { say, sayList } from '../../shell/words/say.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { dialog } from '../components/dialog.ts';
import { facts } from '../components/parts.ts';

/** An item, entry, story, source or edition, as in the journal. */
export interface DeskSubject {
  readonly kind: string;
  readonly id: string;
}

export const subjectText = ({ kind, id }: DeskSubject): string => `${kind} ${id}`;

const others = '{people}';
const number = '{count}';

export interface LivePart {
  /** What the page shows. */
  readonly start: string;
  readonly section: keyof DeskWords['sections'];
  readonly about: DeskSubject | undefined;
  /** The names of other editors. */
  readonly editing: readonly string[];
}

/** At the top of a page: who else edits it, and what happened since it was loaded. Empty without script and others. */
export function livePart(words: DeskWords, { start, section, about, editing }: LivePart): string {
  const settings = {
    start,
    section,
    about: about === undefined ? null : subjectText(about),
    words: {
      changed: say('Changed just now'),
      editing: say('{people} are editing this page. If they save first, you see both versions.', {
        people: others,
      }),
      editingOne: say('{people} is editing this page. If they save first, you see both versions.', {
        people: others,
      }),
      pageChanged: say('Another editor or a rule changed this. Reload the page before you edit it.'),
      newEntry: say('1 new entry in the queue.'),
      newEntries: say('{count} new entries in the queue.', { count: number }),
      decision: say('1 new decision.'),
      decisions: say('{count} new decisions.', { count: number }),
      expired: say('This page is out of date.'),
      supported: words.item.checkNone,
      unsupported: words.item.checkFound,
    },
  };
  return html`<div data-desk>
    <script type="application/json" id="desk">
      !${dataBlock(settings)}
    </script>
    <p class="notice plain" role="status" data-editing !${editing.length === 0 ? 'hidden' : ''}>
      ${editingText(editing)}
    </p>
    <p class="notice plain" role="status" data-changed hidden>
      <span></span> <a href="">${say('Reload')}</a>
    </p>
  </div>`;
}

function editingText(people: readonly string[]): string {
  if (people.length === 0) return '';
  return people.length === 1
    ? say('{people} is editing this page. If they save first, you see both versions.', {
        people: people[0] ?? '',
      })
    : say('{people} are editing this page. If they save first, you see both versions.', {
        people: sayList(people),
      });
}

/** The keys of the pages, with the script that follows the events. */
export function keysPart(language: InterfaceLanguage, words: DeskWords): string {
  const keys: readonly (readonly [key: string, what: string])[] = [
    ['j', say('Next entry')],
    ['k', say('Previous entry')],
    ['x', say('Select the entry')],
    ['e', say('Open or edit')],
    ['s', say('Select an item, or split a story')],
    ['m', words.buttons.merge],
    ['u', words.buttons.undo],
    ['/', say('Search')],
    ['?', say('Show this list')],
  ];
  return html`<p class="keys">
      <a class="btn quiet sm" href="#keys" data-dialog="keys" aria-keyshortcuts="?"
        >${say('Keyboard shortcuts')} <kbd>?</kbd></a
      >
    </p>
    !${dialog(language, {
      id: 'keys',
      title: say('Keyboard shortcuts'),
      lead: say('Each key activates a button of the current entry or of the page.'),
      content: facts(keys),
      isOpen: false,
      closeHref: '#main',
    })}
    <script src="${scripts.desk.path}" defer></script>`;
}
