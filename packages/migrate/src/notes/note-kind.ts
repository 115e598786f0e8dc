import type { Target } from '../targets/target.ts';

/** A kind of note that vaults name in properties, tags or folders, and its target. */
export interface NoteKind {
  readonly name: string;
  readonly target: Target;
  /** True if a folder of this name contains only such notes; false for words that also name a topic. */
  readonly isFolder: boolean;
  /** In the singular, in lower case. */
  readonly words: readonly string[];
}

const kinds: readonly NoteKind[] = [
  kind('a template', 'NOTE', true, 'template, vorlage, plantilla, 模板'),
  kind(
    'a journal entry',
    'JOURNAL',
    true,
    `journal, diary, daily, daily note, dailynote, daily log, weekly, weekly note, weekly review, monthly,
     monthly note, yearly, yearly note, periodic note, journal entry, morning page, looking back, tagebuch, diario,
     journal intime, 日记, 日記, 日志, 周记, 每日`,
  ),
  kind(
    'a person',
    'People',
    true,
    'person, people, contact, human, friend, colleague, author, writer, persona, personen, 人物, 联系人',
  ),
  kind(
    'a company',
    'Companies',
    true,
    'company, organization, organisation, org, employer, firma, empresa, 公司, 企业',
  ),
  kind(
    'a book',
    'BOOKS',
    true,
    'book, novel, audiobook, ebook, book note, buch, bücher, libro, livre, 书, 书籍, 读书笔记',
  ),
  kind('a film', 'MOVIES', true, 'movie, film, tv show, tv series, documentary, anime, película, 电影, 影视'),
  kind('music', 'BANDS', true, 'album, band, musician, musical artist, song, 专辑, 乐队'),
  kind('a restaurant', 'RESTAURANTS', true, 'restaurant, cafe, café, coffee shop, 餐厅'),
  kind(
    'a text by others',
    'Research',
    true,
    `clipping, article, paper, literature, literature note, source note, highlight, readwise, web page, webpage,
     bookmark, newsletter issue, tweet, video, lecture, 文章, 摘录, 论文, 文献`,
  ),
  kind(
    'technical',
    'Research',
    false,
    'technical, tech, programming, software, cheatsheet, cheat sheet, how-to, howto, tutorial, til, snippet, guide',
  ),
  kind('an idea', 'Ideas', true, 'idea, evergreen, evergreen note, 想法'),
  kind('a quote', 'WISDOM', false, 'quote, quotation, aphorism, 名言, 金句'),
  kind('a goal', 'GOALS', false, 'goal, objective, resolution, okr, 目标'),
  kind('a belief', 'BELIEFS', false, 'belief, principle, value, 信念'),
  kind('a mental model', 'MODELS', false, 'mental model, 思维模型'),
  kind('a habit', 'RHYTHMS', false, 'habit, routine, ritual, 习惯'),
  kind(
    'an index',
    'NOTE',
    false,
    `index, moc, map of content, hub, dashboard, category, home, overview, table of content, kanban, meta`,
  ),
  kind(
    'a note of its own',
    'NOTE',
    true,
    `project, meeting, minute, event, trip, place, city, country, recipe, podcast, podcast episode, episode,
     game, video game, board game, product, app, area, task, prompt, note, zettel, permanent, permanent note, fleeting,
     fleeting note, course, class, 项目, 会议, 食谱, 菜谱`,
  ),
];

function kind(name: string, target: Target, isFolder: boolean, words: string): NoteKind {
  return { name, target, isFolder, words: words.split(',').map((word) => word.trim()) };
}

const byWord = new Map(kinds.flatMap((one) => one.words.map((word) => [word, one] as const)));

/** The kind that a word of a vault names, however it is written: `[[Books]]`, `#book`, `Daily Notes`, `02_people`. */
export function kindOfWord(written: string): NoteKind | null {
  const word = written
    .toLowerCase()
    .replace(/^\[\[([^\]|#]+).*\]\]$/, '$1')
    .replace(/^.*\//, '')
    .replace(/^[#@+\d\s._-]+/, '')
    .replace(/[_.-]+/g, ' ')
    .replace(/[^\p{L}\p{N} ]+/gu, '')
    .trim();
  const singular = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
  return byWord.get(word) ?? byWord.get(singular) ?? null;
}
