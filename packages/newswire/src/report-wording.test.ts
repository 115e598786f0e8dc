import { expect, test } from 'vitest';

import { createWorld } from './index.ts';

const startsAt = Date.UTC(2026, 8, 1);

/** Real companies, models, people and outlets of this industry: none may be named. */
const denied = (
  'OpenAI Google Anthropic Nvidia Microsoft DeepSeek Mistral Cohere Alibaba Tencent Baidu ByteDance Huawei Moonshot ' +
  'MiniMax Zhipu Gemini Claude ChatGPT Llama Qwen Grok Copilot Perplexity Midjourney Hugging Stability Databricks ' +
  'TechCrunch Bloomberg Reuters Wired Verge Altman Amodei Hassabis Musk Zuckerberg LeCun Hinton Karpathy ' +
  'TSMC Samsung Oracle Salesforce Amazon Apple Intel Qualcomm ' +
  '百度 阿里 腾讯 字节 华为 智谱 月之暗面 深度求索 讯飞 商汤 谷歌 微软 英伟达 苹果 亚马逊 机器之心 量子位 新智元'
).split(' ');
const deniedPattern = new RegExp(`(?<![a-z])(?:${denied.join('|')}|meta(?! ?data))(?![a-z])`, 'iu');

test('no report, outlet or person bears a real name', () => {
  const world = createWorld({ seed: 77, startsAt, days: 30, itemsPerDay: 700 });
  const found: string[] = [];
  for (const { title, originalTitle, summary, body } of world.reports()) {
    const text = `${title}\n${originalTitle ?? ''}\n${summary}\n${body()}`;
    if (deniedPattern.test(text)) found.push(text);
  }
  const names = [...world.organizations, ...world.people].map(({ name }) => name.join(' '));
  const lines = world.organizations.flatMap(({ families }) => families);
  found.push(
    ...[...names, ...lines, ...world.outlets.map(({ name }) => name)].filter((name) =>
      deniedPattern.test(name),
    ),
  );
  expect(found).toEqual([]);
});

test('of 50,000 stand-alone items fewer than one in a hundred repeats a title', { timeout: 60_000 }, () => {
  const titles = new Set<string>();
  let count = 0;
  for (const { role, title } of createWorld({ seed: 6, startsAt, days: 60, itemsPerDay: 2500 }).reports()) {
    if (role !== 'single') continue;
    count += 1;
    titles.add(title);
    if (count === 50_000) break;
  }
  expect(count).toBe(50_000);
  expect(1 - titles.size / count).toBeLessThan(0.01);
});

test('every text is whole: no open place, no doubled mark, two to five sentences', () => {
  const flawed: string[] = [];
  for (const { title, summary, body, role } of createWorld({
    seed: 9,
    startsAt,
    days: 20,
    itemsPerDay: 400,
  }).reports()) {
    const sentences = summary.match(/[.。](?=[\s”]|$|[^\d])|[.。]”/gu)?.length ?? 0;
    const text = `${title}\n${summary}\n${body()}`;
    if (/[{}[\]<>|]|undefined|NaN|[，。；：]{2}|\.\.| {2}| [，。；：]|\b(\p{L}{3,}) \1\b/u.test(text))
      flawed.push(text);
    else if (role !== 'roundup' && (sentences < 2 || sentences > 6)) flawed.push(summary);
    else if (/^\p{Ll}/u.test(title) || /^\p{Ll}/u.test(summary)) flawed.push(title);
  }
  expect(flawed).toEqual([]);
});

test('Chinese text sets a space between Han characters and Latin letters or digits', () => {
  const tight: string[] = [];
  for (const { title, summary } of createWorld({
    seed: 10,
    startsAt,
    days: 10,
    itemsPerDay: 400,
  }).reports()) {
    const text = `${title}\n${summary}`;
    if (/\p{Script=Han}[a-z0-9]|[a-z0-9]\p{Script=Han}/iu.test(text)) tight.push(text);
  }
  expect(tight).toEqual([]);
});

test('a report states the figure that its facts give', () => {
  for (const report of createWorld({ seed: 12, startsAt, days: 10, itemsPerDay: 300 }).reports()) {
    if (report.role !== 'first' || report.facts.kind !== 'price-cut') continue;
    expect(report.summary).toMatch(new RegExp(`${report.facts.figures[0]!.value}( percent|%)`));
  }
});
