import { expect, test } from 'vitest';

import { readText, restoreSketch, storeSketch, isCopy, textOverlap } from './text-sketch.ts';
import type { ReadText } from './text-sketch.ts';

const english = [
  'The city of Linjiang will replace its traffic controllers with a model of Halden Labs next spring.',
  'Engineers spent eleven months in the basement of the transport office to collect what the old machines recorded.',
  'They found that four of ten lights had never been measured since they were installed in the nineties.',
  'A pilot on the northern ring reduced the average wait from 71 to 44 seconds, the office said on Monday.',
  'Critics object that the contract leaves the data with the vendor when the agreement ends in 2031.',
  'The mayor answered that a copy of every record stays in the city archive, and that anybody may ask for it.',
  'Similar programmes in two neighbouring towns were stopped last year because sensors failed in the frost.',
  'The council votes on the budget of 18 million dollars in the second week of January.',
];
const chinese = [
  '临江市交通局周一宣布，明年春季起将用哈尔登实验室的模型替换全市的信号灯控制系统。',
  '工程师花了十一个月整理旧机房里的记录，发现四成路口自上世纪九十年代安装以来从未做过测量。',
  '北环路试点期间，车辆平均等待时间由七十一秒降至四十四秒，高峰时段的拥堵长度缩短三分之一。',
  '批评者担心合同到期后数据仍留在供应商手中，市长回应称所有记录都会在市档案馆保存一份副本。',
  '市议会将在一月第二周就一千八百万美元的预算进行表决，邻近两个城市去年因传感器故障中止了类似项目。',
];

function read(text: string): ReadText {
  const found = readText(text);
  if (found === null) throw new Error('the text is too short');
  return found;
}

const copied = (one: ReadText, other: ReadText): boolean => isCopy(one.sketch, other.sketch);

/** The changes that publishers make to a text of others. */
const edits: Readonly<Record<string, (sentences: readonly string[]) => string>> = {
  'another dateline': (all) => `LINJIANG, Nov. 16 (Northern Wire) - ${all.join(' ')}`,
  'a byline before the text': (all) => `By Maria Osterholt, Technology Correspondent. ${all.join(' ')}`,
  'a trimmed ending': (all) => all.slice(0, Math.ceil(all.length * 0.6)).join(' '),
  'an introduction of its own': (all) =>
    `This article first appeared in our partner publication and is reprinted here with permission. ${all.join(' ')}`,
  'a few replaced words': (all) =>
    all
      .join(' ')
      .replace('eleven months', 'nearly a year')
      .replace('average', 'mean')
      .replace('周一', '昨日'),
  'a closing note': (all) =>
    `${all.join(' ')} Reporting by the Northern Wire; editing by A. Lind. All rights reserved.`,
};

test.each(Object.keys(edits))('recognises a copy with %s and finds it by a key', (name) => {
  for (const sentences of [english, chinese]) {
    const original = read(sentences.join(' '));
    const copy = read(edits[name]?.(sentences) ?? '');
    expect(copied(original, copy)).toBe(true);
    expect(new Set(original.keys).isDisjointFrom(new Set(copy.keys))).toBe(false);
  }
});

test('does not join independent reports of one event that share a quotation', () => {
  const other = [
    'Linjiang hands its traffic lights to a machine.',
    'From spring on, software of Halden Labs decides who waits and who drives, the transport office announced.',
    'A pilot on the northern ring reduced the average wait from 71 to 44 seconds, the office said on Monday.',
    'For the vendor it is the largest order so far; it opened an office in the harbour district in August.',
    'Taxi drivers whom we asked at the station were less impressed and spoke of new queues at the bridge.',
    'The opposition wants to know what happens if the connection fails during a snow storm.',
  ].join(' ');
  expect(copied(read(english.join(' ')), read(other))).toBe(false);
});

test('does not compare texts that are too short', () => {
  expect(readText('Halden Labs released Corvid 3 on Monday.')).toBeNull();
});

test('estimates the same overlap from a stored sketch', () => {
  const [one, other] = [read(english.join(' ')).sketch, read(english.slice(0, 5).join(' ')).sketch];
  expect(textOverlap(restoreSketch(storeSketch(one)), restoreSketch(storeSketch(other)))).toBe(
    textOverlap(one, other),
  );
});
