import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import { registrableDomain } from '../fetch/registrable-domain.ts';
import { articleAddress, resolveAddress } from '../parse/article-address.ts';
import type { BlockedPage } from '../parse/blocked-page.ts';
import { blockedPage } from '../parse/blocked-page.ts';
import type { Page } from '../parse/html-page.ts';
import { openPage } from '../parse/html-page.ts';
import { articleBody } from './article-body.ts';
import type { PageNames } from './page-names.ts';
import { pageNames } from './page-names.ts';
import { wordCount } from './paragraph-role.ts';
import { textLanguage } from './text-language.ts';

/** The article of a page, as plain text. */
export interface ExtractedArticle {
  /** A line per paragraph. */
  readonly text: string;
  readonly language: string | null;
  /** The canonical address, without tracking parameters. */
  readonly canonicalUrl: string | null;
  readonly names: PageNames;
}

export type NoArticle = BlockedPage | 'paywall' | 'no article';

/** Shorter than any report: a teaser, a caption, a notice. */
const wordsMin = 40;
/** A page marked as not free usually shows only the beginning; a text this long is accepted as the article. */
const paywalledWordsMin = 250;

/** The article of a page; never the text of a consent, challenge or paywall page. */
export function extractArticle(
  html: string,
  url: string,
  statedLanguage: string | null,
): Result<ExtractedArticle, NoArticle> {
  const blocked = blockedPage(html);
  if (blocked !== null) return refused(blocked);
  const text = articleBody(html);
  const words = wordCount(text);
  if (words < paywalledWordsMin && isPaywalled(html)) return refused('paywall');
  if (words < wordsMin) return refused('no article');
  const page = openPage(html);
  const stated = page.documentElement?.getAttribute('lang') ?? statedLanguage;
  return accepted({
    text,
    language: textLanguage(text, stated),
    canonicalUrl: canonicalUrl(page, url),
    names: pageNames(page, url),
  });
}

const paywallMarks =
  /"isAccessibleForFree"\s*:\s*(?:"?false|"?no\b)|(?:class|id)="[^"]{0,200}\b(?:paywall|regwall|subscriber-only|premium-wall|meteredcontent)\b/iu;
const paywallWords =
  /subscribe (?:now )?to (?:continue|read|keep reading|unlock)|to continue reading|already (?:a )?subscribers?\?|(?:for|to) subscribers only|create (?:a free|an) account to (?:continue|read)|become a (?:member|subscriber) to|you(?:’|'|&#39;)ve (?:reached|read) (?:your|all)|订阅后(?:阅读|查看)|付费(?:阅读|内容|后)|会员(?:专享|可读)|登录后(?:阅读|查看)|剩余\d+%/iu;

function isPaywalled(html: string): boolean {
  return paywallMarks.test(html) || paywallWords.test(html);
}

/** Only an address of the same publisher: a page cannot claim the address of another publisher's article. */
function canonicalUrl(page: Page, url: string): string | null {
  const stated =
    page.querySelector('link[rel="canonical"]')?.getAttribute('href') ??
    page.querySelector('meta[property="og:url"]')?.getAttribute('content');
  const address = resolveAddress(stated, url);
  if (address === null) return null;
  const canonical = new URL(articleAddress(address).url);
  const isSameDomain = registrableDomain(canonical) === registrableDomain(new URL(url));
  // Some templates name the front page as canonical on every page.
  return isSameDomain && canonical.pathname !== '/' ? canonical.href : null;
}
