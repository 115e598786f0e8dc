import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

import type { DecodedText } from './text-encoding.ts';
import { decodeText } from './text-encoding.ts';

const chinese = '# 日记\n\n今天早上跑了五公里，天气很好。晚上和朋友吃火锅，聊了很多以前的事情。\n';
const traditional = '# 日記\n\n今年的目標是學會游泳，並且每週運動三次。媽媽說健康最重要。\n';
const japanese = '# 日記\n\n今日は朝から雨が降っていた。友達と映画を見に行って、ラーメンを食べた。\n';
const korean = '# 일기\n\n오늘 아침에 오 킬로미터를 뛰었다. 저녁에는 친구들과 밥을 먹었다.\n';
const russian = '# Дневник\n\nСегодня утром я пробежал пять километров. Вечером встретился с друзьями.\n';
const german = '# Tagebuch\n\nHeute früh bin ich fünf Kilometer gelaufen – schön! Größe, Übung, Äpfel.\n';
const polish = '# Dziennik\n\nDzisiaj rano przebiegłem pięć kilometrów. Żółw, źdźbło, łąka, ćma i gęś.\n';

function text(bytes: Buffer): DecodedText {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text') throw new Error(`read as ${JSON.stringify(decoded)}`);
  return decoded;
}

describe('text in encodings older than UTF-8 is read character by character', () => {
  it.each([
    ['gbk', chinese, 'gb18030'],
    ['gb18030', `${chinese}𠮷野家\n`, 'gb18030'],
    ['big5', traditional, 'big5'],
    ['shift_jis', japanese, 'shift_jis'],
    ['euc-jp', japanese, 'euc-jp'],
    ['euc-kr', korean, 'euc-kr'],
    ['windows-1251', russian, 'windows-1251'],
    ['koi8-r', russian, 'koi8-r'],
    ['windows-1252', german, 'windows-1252'],
    ['windows-1250', polish, 'windows-1250'],
  ])('%s', (written, words, read) => {
    const bytes = iconv.encode(words, written);
    const decoded = text(bytes);
    expect([decoded.encoding, decoded.text]).toEqual([read, words]);
    expect(decoded.confidence).toBeLessThanOrEqual(1);
    for (let at = 0; at < words.length; at += 1) {
      // No byte offset exists between the halves of a pair.
      if (/[\udc00-\udfff]/.test(words.charAt(at))) continue;
      expect(decoded.byteOffset(at)).toBe(iconv.encode(words.slice(0, at), written).length);
    }
  });

  it.each(['utf-16le', 'utf-16be'])('%s without a mark, also in Chinese', (written) => {
    expect(text(iconv.encode(chinese, written, { addBOM: false })).text).toBe(chinese);
    expect(text(iconv.encode(german, written, { addBOM: false })).text).toBe(german);
  });
});

describe('UTF-8', () => {
  it('with a stray byte stays UTF-8, and the byte is read as the character it was pasted as', () => {
    const bytes = Buffer.concat([Buffer.from('思考，naïve '), Buffer.from([0x93]), Buffer.from('so')]);
    expect(text(bytes)).toMatchObject({ encoding: 'utf-8', strayBytes: 1, text: '思考，naïve “so' });
    const end = bytes.length - 2;
    expect(text(bytes).byteOffset('思考，naïve “'.length)).toBe(end);
  });

  it('maps every character to its byte, with and without stray bytes', () => {
    const good = fc.string({
      unit: fc.constantFrom('a', ' ', 'é', '思', '🙂', '—'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(good, fc.constantFrom(0x80, 0x93, 0xe9)), { maxLength: 6 }), (parts) => {
        const pieces = parts.flatMap(([words, stray]) => [
          Buffer.from(`思考笔记${words}`),
          Buffer.from([stray]),
        ]);
        const bytes = Buffer.concat([Buffer.from('心'), ...pieces, Buffer.from('思')]);
        const decoded = text(bytes);
        let byte = 1;
        for (const piece of pieces) {
          byte += piece.length;
        }
        expect([decoded.strayBytes, decoded.byteOffset(decoded.text.length)]).toEqual([
          parts.length,
          bytes.length,
        ]);
        expect(decoded.byteOffset(decoded.text.length - 1)).toBe(byte + 2);
      }),
    );
  });
});

describe('doubt', () => {
  it.each([
    ['two Chinese words in GBK', iconv.encode('买菜', 'gbk')],
    ['a Greek line', iconv.encode('Σήμερα το', 'windows-1253')],
  ])('%s are not read on a guess', (_name, bytes) => {
    expect(decodeText(bytes).kind).toBe('unsure');
  });

  it('the user’s choice is used where the bytes allow it', () => {
    expect(decodeText(iconv.encode('买菜', 'gbk'), 'gb18030')).toMatchObject({ text: '买菜', confidence: 1 });
    expect(decodeText(Buffer.from([0x41, 0xff, 0x41]), 'gb18030').kind).toBe('unsure');
  });

  it('one Western character reads the same in every likely encoding and needs no question', () => {
    expect(text(Buffer.from('A note with one caf\xe9 in it.', 'latin1')).text).toBe(
      'A note with one café in it.',
    );
  });
});
