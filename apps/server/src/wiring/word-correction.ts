import type { EpochMicroseconds } from '../foundation/instant.ts';
import { isoMilliseconds } from '../foundation/instant.ts';
import type { ReaderLanguage } from '../foundation/reader-language.ts';
import { editions } from '../record/index.ts';

/** A correction or withdrawal as the record shows it now: without any word of a withdrawn item. */
export interface NotedCorrection {
  readonly action: 'withdrawn' | 'corrected' | 'merged' | 'split';
  readonly subject: {
    readonly kind: 'item' | 'story' | 'daily' | 'weekly' | 'monthly';
    readonly id: string;
  };
  readonly at: EpochMicroseconds;
  /** In the language of the sentence, or as an editor wrote it. */
  readonly reason: string;
  /** The present title of the subject; null if it is not shown any more. */
  readonly title: string | null;
  /** The present title of the story that an item is part of, that a story was merged into, or that was split off. */
  readonly story: string | null;
  /** Of an item. */
  readonly source: {
    readonly name: string;
    readonly category: string;
    readonly publishedAt: EpochMicroseconds;
  } | null;
}

interface Words {
  readonly kinds: Readonly<Record<NotedCorrection['subject']['kind'], string>>;
  readonly actions: Readonly<Record<NotedCorrection['action'], string>>;
  readonly title: (kind: string, action: string) => string;
  readonly sentence: (correction: NotedCorrection, subject: string) => string;
  readonly ofSource: (source: NonNullable<NotedCorrection['source']>) => string;
  readonly inStory: (story: string) => string;
  readonly quoted: (title: string) => string;
}

const words: Readonly<Record<ReaderLanguage, Words>> = {
  en: {
    kinds: {
      item: 'item',
      story: 'story',
      daily: 'daily report',
      weekly: 'weekly report',
      monthly: 'monthly report',
    },
    actions: { withdrawn: 'withdrawn', corrected: 'corrected', merged: 'merged', split: 'split' },
    title: (kind, action) => `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)} ${action}`,
    sentence: (correction, subject) => {
      const { action, at, story, reason } = correction;
      const into = action === 'merged' && story !== null ? ` into the story “${story}”` : '';
      const off = action === 'split' && story !== null ? `; the story “${story}” was split off` : '';
      return `The ${subject} was ${words.en.actions[action]}${into} on ${dayOf(at)}${off}. Reason: ${reason}`;
    },
    ofSource: ({ name, category, publishedAt }) =>
      ` of ${name} (${labelOf(category, 'en')}, ${dayOf(publishedAt)})`,
    inStory: (story) => ` in the story “${story}”`,
    quoted: (title) => ` “${title}”`,
  },
  zh: {
    kinds: { item: '资讯', story: '事件', daily: '日报', weekly: '周报', monthly: '月报' },
    actions: { withdrawn: '撤回', corrected: '更正', merged: '合并', split: '拆分' },
    title: (kind, action) => `${kind}已${action}`,
    sentence: (correction, subject) => {
      const { action, at, story, reason } = correction;
      const into = action === 'merged' && story !== null ? `到事件“${story}”` : '';
      const off = action === 'split' && story !== null ? `，拆分出事件“${story}”` : '';
      return `${subject}于 ${dayOf(at)} 被${words.zh.actions[action]}${into}${off}。原因：${reason}`;
    },
    ofSource: ({ name, category, publishedAt }) =>
      `（信源：${name}，类别：${labelOf(category, 'zh')}，${dayOf(publishedAt)}）`,
    inStory: (story) => `，所属事件“${story}”，`,
    quoted: (title) => `“${title}”`,
  },
};

const labelOf = (category: string, language: ReaderLanguage): string =>
  (editions.words.sectionLabels[language] as Readonly<Record<string, string>>)[category] ?? category;

const dayOf = (at: EpochMicroseconds): string => isoMilliseconds(at).slice(0, 10);

/** A title and a sentence in our own words, by rule. */
export function wordCorrection(
  correction: NotedCorrection,
  language: ReaderLanguage,
): { readonly title: string; readonly text: string } {
  const { kinds, actions, title, sentence, ofSource, inStory, quoted } = words[language];
  const { subject, source, story } = correction;
  const kind = kinds[subject.kind];
  // An item without a title is named by its source; a story has a title as long as it is shown.
  const id = source === null ? ` ${subject.id}` : '';
  const named = correction.title === null ? id : quoted(correction.title);
  const origin = source === null ? '' : ofSource(source);
  const place = subject.kind === 'item' && story !== null ? inStory(story) : '';
  return {
    title: title(kind, actions[correction.action]),
    text: sentence(correction, `${kind}${named}${origin}${place}`),
  };
}
