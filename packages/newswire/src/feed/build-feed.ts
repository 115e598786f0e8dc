import type { Article, Category, Language, Outlet } from '../dispatch.ts';
import type { Micros } from '../instant.ts';
import { sealCode } from '../plan/dispatch-code.ts';
import type { Planned, Planner } from '../plan/planner.ts';
import type { FeedFormat, OutletTraits } from '../site/outlet-traits.ts';
import { feedAddress, outletTraits } from '../site/outlet-traits.ts';
import type { DispatchWriter } from '../text/dispatch-writer.ts';
import { aggregatedEntry } from './aggregated-entry.ts';
import type { FeedDocument, FeedEntry } from './feed-document.ts';
import type { IndexedEntry, Standing } from './feed-index.ts';
import { isAggregator } from './feed-index.ts';
import { guidOf, shapedEntry } from './shaped-entry.ts';
import { escapeXml } from './xml.ts';

export interface FeedRequest {
  readonly outlet: Outlet;
  readonly format: FeedFormat;
  /** One section of a site alone. */
  readonly category: Category | null;
}

const sections: Readonly<Record<Category, readonly [en: string, zh: string]>> = {
  'ai-models': ['Models', '模型'],
  'ai-products': ['Products', '产品'],
  industry: ['Industry', '产业'],
  paper: ['Research', '研究'],
  tip: ['Guides', '教程'],
  opinion: ['Opinion', '观点'],
};

export function sectionName(category: Category, language: Language): string {
  return sections[category][language === 'en' ? 0 : 1];
}

/** Writes the text of the entries in an outlet's feed. */
export class FeedBuilder {
  readonly #planner: Planner;
  readonly #writer: DispatchWriter;

  constructor(planner: Planner, writer: DispatchWriter) {
    this.#planner = planner;
    this.#writer = writer;
  }

  /** Its content dates from the last change, so that one state of a feed is always the same bytes. */
  build({ outlet, format, category }: FeedRequest, standing: Standing): FeedDocument {
    const traits = outletTraits(this.#writer.seed, outlet);
    const at = standing.changed;
    const all = standing.entries.flatMap((entry) => this.#entry(outlet, traits, entry, at));
    const entries = all.filter((entry) => category === null || entry.category === category);
    const self = feedAddress(this.#writer.seed, outlet, format);
    const section = category === null ? '' : `category/${category}/`;
    return {
      title: category === null ? outlet.name : `${outlet.name}: ${sectionName(category, outlet.language)}`,
      description: descriptionOf(outlet),
      home: outlet.home,
      self: self.replace(outlet.home, outlet.home + section),
      language: outlet.language === 'en' ? 'en' : 'zh-CN',
      updated: at,
      author: outlet.name,
      zoneMinutes: traits.zoneMinutes,
      markup: traits.markup,
      encoding: traits.encoding,
      ttlMinutes: traits.ttlMinutes,
      hub: null,
      dates: 'right',
      entries: entries.map(({ entry }) => entry),
    };
  }

  #entry(
    outlet: Outlet,
    traits: OutletTraits,
    { code, appears }: IndexedEntry,
    at: Micros,
  ): { readonly entry: FeedEntry; readonly category: Category }[] {
    const planned = this.#planner.byCode(code);
    if (planned === undefined) return [];
    if (isAggregator(outlet)) {
      const article = this.#writer.article(planned, appears);
      const id = sealCode(this.#writer.seed, code);
      return [{ category: article.category, entry: aggregatedEntry(outlet, article, { id, appears, at }) }];
    }
    const article = this.#writer.article(planned, at);
    return [{ category: article.category, entry: this.#ownEntry(traits, planned, article, at) }];
  }

  #ownEntry(traits: OutletTraits, planned: Planned, article: Article, at: Micros): FeedEntry {
    const { plan, code } = planned;
    const id = sealCode(this.#writer.seed, code);
    const lastEdit = plan.changes.edits.findLast((edit) => edit.at <= at);
    const entry: FeedEntry = {
      guid: guidOf(article, traits, id, plan.appears),
      guidIsAddress: traits.guid === 'address',
      link: article.address,
      title: article.title,
      summaryHtml: `<p>${escapeXml(article.summary)}</p>`,
      contentHtml: traits.content === 'full' ? paragraphsHtml(article) : null,
      author: article.author,
      published: plan.published,
      updated: lastEdit?.at ?? null,
      categories: [sectionName(article.category, article.language)],
    };
    return shapedEntry(entry, { article, id, appears: plan.appears, at });
  }
}

export function paragraphsHtml({ paragraphs }: Pick<Article, 'paragraphs'>): string {
  return paragraphs.map((paragraph) => `<p>${escapeXml(paragraph)}</p>`).join('\n');
}

function descriptionOf({ language, shape, name }: Outlet): string {
  if (shape === 'releases') return name;
  if (language === 'zh') return isChannel(shape) ? `${name}的最新节目` : `${name}：人工智能行业报道`;
  return isChannel(shape) ? `New from ${name}` : `${name}: news from the artificial intelligence industry`;
}

function isChannel(shape: Outlet['shape']): boolean {
  return shape === 'video' || shape === 'podcast';
}
