import { describe, expect, test } from 'vitest';

import { openPage } from '../parse/html-page.ts';
import { headlineOf, sharedTitleEnds } from './headline.ts';
import { pageNames } from './page-names.ts';

const headline = 'Harbor opens its third data center in Norway';

describe('the headline of a title', () => {
  const named = (title: string, ...sites: readonly string[]): string =>
    headlineOf(title, { headlines: [], sites });

  test.each([
    [`${headline} | The Evening Post`, 'Evening Post'],
    [`${headline} - Evening Post`, 'The Evening Post'],
    [`${headline} – North Coast Times`, 'www.nctimes.example'],
    [`${headline} - CBC Bergen`, 'bergen.cbclocal.example'],
    [`${headline} - harborpost.example`, 'www.harborpost.example'],
    [`${headline} | Business | News | Evening Post`, 'Evening Post'],
    [`${headline} | by Ada Lund | Evening Post`, 'Evening Post'],
    [`Evening Post | ${headline}`, 'Evening Post'],
    [`Opinion | ${headline}`, ''],
    [headline, 'Evening Post'],
  ])('"%s" of %s has no name of the site', (title, site) => {
    expect(named(title, site)).toBe(headline);
  });

  test.each([
    ['挪威开设第三座数据中心_科技频道_港口网', ''],
    ['挪威开设第三座数据中心|数据中心_港口新闻', ''],
    ['挪威开设第三座数据中心 - 港口日报', ''],
    ['挪威开设第三座数据中心-GANGKOU 技术', 'www.gangkou.example'],
  ])('"%s" has no name of the site', (title, site) => {
    expect(named(title, site)).toBe('挪威开设第三座数据中心');
  });

  test.each([
    ['Why the best models will be Harbor-Harbor', 'Harbor'],
    ['NASA chooses a new lander - SpaceX', 'www.space.example'],
    ['The case for open models - Open', 'www.openlab.example'],
    ['Harbor 3 - the smallest data center yet', 'Larkfield'],
    ['Harbor: a review - it works', 'Harbor Review'],
  ])('"%s" of %s stays whole', (title, site) => {
    expect(named(title, site)).toBe(title);
  });

  test('is the part that the page states, without what surrounds it', () => {
    const stated = (title: string, ...headlines: readonly string[]): string =>
      headlineOf(title, { headlines, sites: [] });
    expect(stated(`${headline} - Nov. 2, 2026`, headline)).toBe(headline);
    expect(stated(`${headline} | Editorial | Opinion`, `${headline} | Editorial`, headline)).toBe(headline);
    expect(stated('Harbor 3 - a data center for everyone in the north - Post', 'Harbor 3')).toBe(
      'Harbor 3 - a data center for everyone in the north - Post',
    );
    expect(stated('Shared History — evolve extension for Larkfield', 'evolve extension for Larkfield')).toBe(
      'Shared History — evolve extension for Larkfield',
    );
  });

  test('is the one that two statements of the page agree on, if the title is about the same', () => {
    const seo = 'Harbor data center Norway';
    expect(headlineOf(seo, { headlines: [headline, headline], sites: [] })).toBe(headline);
    expect(headlineOf(seo, { headlines: [headline], sites: [] })).toBe(seo);
    const other = 'Larkfield hires two hundred engineers';
    expect(headlineOf(seo, { headlines: [other, other], sites: [] })).toBe(seo);
  });
});

test('a page states its names in tags, headings and structured data', () => {
  const page = openPage(`<html><head>
    <meta property="og:title" content="${headline}"><meta name="twitter:title" content="${headline}">
    <meta property="og:site_name" content="Evening Post">
    <script type="application/ld+json">{"@graph":[{"headline":"Harbor &amp; Norway","publisher":{"name":"Post AS"}}]}</script>
    <script type="application/ld+json">{broken</script>
    </head><body><h1> ${headline} </h1></body></html>`);
  expect(pageNames(page, 'https://post.example/a')).toEqual({
    headlines: [headline, headline, 'Harbor & Norway'],
    sites: ['Evening Post', 'Post AS', 'post.example'],
  });
});

describe('the ends of the titles of a source', () => {
  const titles = ['Harbor opens', 'Larkfield hires', 'Pellan grows', 'Norway plans', 'Bergen waits'];

  test('are names if most of the titles have them', () => {
    expect(sharedTitleEnds(titles.map((title) => `${title} - The Post`))).toEqual(['The Post']);
  });

  test('are no names if few titles have them, or if one title is repeated', () => {
    expect(sharedTitleEnds([...titles, 'Oslo sleeps - The Post', 'Oslo wakes - The Post'])).toEqual([]);
    expect(sharedTitleEnds(Array.from({ length: 5 }, () => 'Harbor opens - again'))).toEqual([]);
  });
});
