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

test('uses no real names in dispatches, outlets and persons', () => {
  const world = createWorld({ seed: 77, startsAt, days: 30, itemsPerDay: 200, outlets: 600 });
  const found: string[] = [];
  for (const { title, originalTitle, summary, body } of world.dispatches()) {
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

test('repeats fewer than one in two hundred titles over 15,000 single items of sites', () => {
  const titles = new Set<string>();
  let count = 0;
  for (const { role, title, outlet } of createWorld({ seed: 6, startsAt, itemsPerDay: 2500 }).dispatches()) {
    if (role !== 'single' || outlet.shape !== 'site') continue;
    count += 1;
    titles.add(title);
    if (count === 15_000) break;
  }
  expect(1 - titles.size / count).toBeLessThan(0.005);
});

test('writes complete texts: no unfilled slot, no doubled mark, two to five sentences', () => {
  const flawed: string[] = [];
  for (const { title, summary, body, role } of createWorld({
    seed: 9,
    startsAt,
    days: 20,
    itemsPerDay: 400,
  }).dispatches()) {
    const sentences = summary.match(/[.。](?=[\s”]|$|[^\d])|[.。]”/gu)?.length ?? 0;
    const text = `${title}\n${summary}\n${body()}`;
    if (/[{}[\]<>|]|undefined|NaN|[，。；：]{2}|\.\.| {2}| [，。；：]|\b(\p{L}{3,}) \1\b/u.test(text))
      flawed.push(text);
    else if (role !== 'roundup' && (sentences < 2 || sentences > 6)) flawed.push(summary);
    else if (/^\p{Ll}/u.test(title) || /^\p{Ll}/u.test(summary)) flawed.push(title);
  }
  expect(flawed).toEqual([]);
});

test('puts a space between Han characters and Latin letters or digits', () => {
  const tight: string[] = [];
  for (const { title, summary } of createWorld({
    seed: 10,
    startsAt,
    days: 10,
    itemsPerDay: 400,
  }).dispatches()) {
    const text = `${title}\n${summary}`;
    if (/\p{Script=Han}[a-z0-9]|[a-z0-9]\p{Script=Han}/iu.test(text)) tight.push(text);
  }
  expect(tight).toEqual([]);
});

test('states the figure of its facts in every dispatch', () => {
  for (const dispatch of createWorld({ seed: 12, startsAt, days: 10, itemsPerDay: 300 }).dispatches()) {
    if (dispatch.role !== 'first' || dispatch.facts.kind !== 'price-cut') continue;
    expect(dispatch.summary).toMatch(new RegExp(`${dispatch.facts.figures[0]!.value}( percent|%)`));
  }
});
