import type { Page, PageElement } from '../parse/html-page.ts';

/** Elements that contain no part of an article. */
const foreignElements =
  'figcaption, iframe, form, button, nav, footer, aside, select, input, textarea, dialog, [hidden], [aria-hidden="true"], [role="navigation"], [role="complementary"], [role="dialog"], [role="contentinfo"], [role="banner"]';
/** Some sites wrap whole articles in these. */
const wrapperCharsMin = 1_500;

const captionWords: ReadonlySet<string> = new Set(['caption', 'captions', 'credit', 'credits', 'figcaption']);
const captionCharsMax = 1_000;

/** Words that sites use in class names and ids of elements around articles. */
const surroundings: ReadonlySet<string> = new Set([
  ...'related relatedposts recommended recommendations recirc newsletter signup subscribe subscription promo promotion advert advertisement ads sponsored sponsor taboola outbrain social share sharing sharedaddy addtoany breadcrumb breadcrumbs byline bio tags taglist comments disqus cookie cookies consent gdpr paywall popup modal toolbar pagination pager trending popular timestamp sidebar widget teaser teasers carousel pullquote cta donate donation membership livefyre zergnet trc kicker eyebrow toc'.split(
    ' ',
  ),
  ...'read-more more-stories more-news more-from more-on also-like sign-up author-bio author-box author-info about-author post-meta entry-meta article-meta most-read most-popular print-only screen-reader visually-hidden sr-only skip-link ad-container ad-wrapper ad-slot ad-unit read-next up-next follow-us pull-quote see-also latest-news top-stories editors-picks table-of-contents'.split(
    ' ',
  ),
]);
/** Names that an article's own elements may have too, but hardly short ones. */
const details: ReadonlySet<string> = new Set(
  'author authors date datetime dateline published updated meta source copyright photographer gallery tools print email location views'.split(
    ' ',
  ),
);
const detailCharsMax = 120;
/** An element with such a name that contains this share of the page is the article. */
const surroundingShareMax = 0.3;
const paragraphsMin = 6;

const mark = 'data-daybook-surrounding';

/**
 * Marks the elements around and between the text of an article. They are removed from the article that Readability
 * finds, not from the page before: without them Readability chooses wrong elements.
 */
export function markSurroundings(page: Page): void {
  for (const element of page.querySelectorAll('script, style, noscript, template')) element.remove();
  for (const element of page.querySelectorAll(foreignElements)) {
    const canWrap = element.matches('form, [aria-hidden="true"]');
    if (!canWrap || lengthOf(element) < wrapperCharsMin) element.setAttribute(mark, '');
  }
  const whole = page.body === null ? 0 : lengthOf(page.body);
  for (const element of page.querySelectorAll('[class], [id], [data-component]')) {
    if (element.matches('html, body, main, article')) continue;
    const words = nameWords(element);
    const isNamed = (names: ReadonlySet<string>, charsMax: number): boolean =>
      words.some((word) => names.has(word)) && lengthOf(element) < charsMax;
    const isSmall = isNamed(captionWords, captionCharsMax) || isNamed(details, detailCharsMax);
    if (isSmall || (hasSurroundingName(words) && !isArticleLike(element, whole)))
      element.setAttribute(mark, '');
  }
}

export function removeSurroundings(root: PageElement): void {
  for (const element of root.querySelectorAll(`[${mark}]`)) element.remove();
}

function hasSurroundingName(words: readonly string[]): boolean {
  return words.some(
    (word, at) => surroundings.has(word) || surroundings.has(`${word}-${words[at + 1] ?? ''}`),
  );
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
