import { isHiddenElement } from '../parse/hidden-element.ts';
import type { Page, PageElement } from '../parse/html-page.ts';
import type { ParagraphRole } from './paragraph.ts';

/** Elements that contain no part of an article. */
const foreignElements: readonly (readonly [ParagraphRole, selector: string])[] = [
  ['caption', 'figcaption'],
  [
    'links',
    'nav, footer, aside, [role="navigation"], [role="complementary"], [role="contentinfo"], [role="banner"]',
  ],
  ['promotion', 'iframe, form, button, select, input, textarea, dialog, [role="dialog"]'],
];
/** Some sites wrap whole articles in these. */
const wrapperCharsMin = 1_500;

interface NamedRole {
  readonly role: ParagraphRole;
  /** Words that sites use in class names and ids: single words, or two in order with a hyphen. */
  readonly names: ReadonlySet<string>;
  /** A longer element is something else; null: only an element like a whole article is. */
  readonly charsMax: number | null;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const namedRoles: readonly NamedRole[] = [
  { role: 'caption', names: words('caption captions credit credits figcaption'), charsMax: 1_000 },
  {
    role: 'biography',
    names: words('bio biography author-bio author-box author-info author-card author-profile about-author'),
    charsMax: null,
  },
  {
    role: 'dateline',
    names: words(
      'byline bylines timestamp post-meta entry-meta article-meta article-info kicker eyebrow dateline-wrapper',
    ),
    charsMax: null,
  },
  {
    role: 'links',
    names: words(
      'related relatedposts recommended recommendations recirc breadcrumb breadcrumbs tags taglist pagination pager trending popular sidebar widget teaser teasers carousel toc read-more more-stories more-news more-from more-on also-like most-read most-popular skip-link read-next up-next see-also latest-news top-stories editors-picks table-of-contents',
    ),
    charsMax: null,
  },
  {
    role: 'promotion',
    names: words(
      'newsletter newsletters signup subscribe subscription promo promotion advert advertisement ads sponsored sponsor taboola outbrain social share sharing sharedaddy addtoany comments disqus cookie cookies consent gdpr paywall popup popover tooltip people-block hovercard modal toolbar pullquote cta donate donation membership livefyre zergnet trc sign-up print-only screen-reader visually-hidden sr-only offscreen ad-container ad-wrapper ad-slot ad-unit follow-us pull-quote',
    ),
    charsMax: null,
  },
  { role: 'disclaimer', names: words('disclaimer disclosure copyright'), charsMax: 1_000 },
  { role: 'correction', names: words('correction corrections clarification editors-note'), charsMax: 1_000 },
  // Names that an article's own elements may have too, but hardly short ones.
  {
    role: 'dateline',
    names: words('author authors date datetime dateline published updated meta source location views'),
    charsMax: 120,
  },
  { role: 'promotion', names: words('photographer gallery tools print email'), charsMax: 120 },
];
/** An element with such a name that contains this share of the page is the article. */
const surroundingShareMax = 0.3;
const paragraphsMin = 6;

const mark = 'data-daybook-role';

/**
 * Removes hidden elements, and marks the elements around and between the text of an article with their roles. Marked
 * elements stay in the page: without them Readability chooses wrong elements.
 */
export function markSurroundings(page: Page): void {
  for (const element of page.querySelectorAll('script, style, noscript, template')) element.remove();
  const whole = page.body === null ? 0 : lengthOf(page.body);
  for (const element of page.querySelectorAll('[hidden], [aria-hidden], [style]'))
    if (!element.matches('html, body') && isHiddenElement((name) => element.getAttribute(name)))
      hide(element, whole);
  for (const [role, selector] of foreignElements)
    for (const element of page.querySelectorAll(selector))
      if (!element.matches('form') || lengthOf(element) < wrapperCharsMin) element.setAttribute(mark, role);
  for (const image of page.querySelectorAll('img')) captionBox(image)?.setAttribute(mark, 'caption');
  for (const element of page.querySelectorAll('[class], [id], [data-component]')) {
    if (element.matches('html, body, main, article')) continue;
    const role = roleByName(element, whole);
    if (role !== null) element.setAttribute(mark, role);
  }
}

/** A page that was saved while a dialog covered it hides its article from assistive software, and shows it. */
function hide(element: PageElement, whole: number): void {
  const isCovered =
    element.getAttribute('style') === null &&
    element.getAttribute('hidden') === null &&
    lengthOf(element) >= whole / 2;
  if (isCovered) element.setAttribute('aria-hidden', 'false');
  else element.remove();
}

const captionCharsMax = 300;

/** The element that contains an image and only a caption; null: the image is inside of a paragraph or stands alone. */
function captionBox(image: PageElement): PageElement | null {
  let box = image.parentElement;
  while (box !== null && /^(?:A|PICTURE|SPAN|BUTTON|NOSCRIPT)$/u.test(box.tagName)) box = box.parentElement;
  if (box === null || !/^(?:DIV|FIGURE|TD|CENTER|P|LI|DL|DT)$/u.test(box.tagName)) return null;
  const text = box.textContent.trim();
  if (text === '' || text.length > captionCharsMax) return null;
  if (!/^(?:P|LI)$/u.test(box.tagName)) return box.querySelector('p + p') === null ? box : null;
  return box.querySelector('em, i, small')?.textContent.trim() === text ? box : null;
}

export function markedRole(element: PageElement): ParagraphRole | null {
  return element.getAttribute(mark) as ParagraphRole | null;
}

function roleByName(element: PageElement, whole: number): ParagraphRole | null {
  const parts = nameWords(element);
  const isNamed = (names: ReadonlySet<string>): boolean =>
    parts.some((word, at) => names.has(word) || names.has(`${word}-${parts[at + 1] ?? ''}`));
  const isInline = isPartOfSentence(element);
  const found = namedRoles.find(
    ({ role, names, charsMax }) =>
      (role !== 'dateline' || !isInline) &&
      isNamed(names) &&
      (charsMax === null ? !isArticleLike(element, whole) : lengthOf(element) < charsMax),
  );
  return found?.role ?? null;
}

/** "<p><a class="meta-org">Veltrane</a> has raised …": a name or a date that the sentence contains. */
function isPartOfSentence(element: PageElement): boolean {
  const parent = element.parentElement;
  if (parent?.tagName !== 'P' || !/^(?:A|SPAN|TIME|B|I|EM|STRONG|ABBR)$/u.test(element.tagName)) return false;
  return lengthOf(element) < lengthOf(parent) / 2;
}

function isArticleLike(element: PageElement, whole: number): boolean {
  const length = lengthOf(element);
  if (length >= whole * surroundingShareMax) return true;
  return length >= wrapperCharsMin && [...element.querySelectorAll('p')].length > paragraphsMin;
}

/** `ArticleShare_bar--top` is article, share, bar, top. */
function nameWords(element: PageElement): readonly string[] {
  const names = ['class', 'id', 'data-component'].map((name) => element.getAttribute(name) ?? '').join(' ');
  return names
    .slice(0, 500)
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/u);
}

function lengthOf(element: PageElement): number {
  return element.textContent.replaceAll(/\s+/gu, ' ').length;
}
