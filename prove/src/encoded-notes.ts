import iconv from 'iconv-lite';

/** Sentences of our own, as people would have written them in notes before UTF-8. */
const sentences = {
  simplified: [
    '今天早上跑了五公里，天气很好。',
    '晚上和朋友吃火锅，聊了很多以前的事情。',
    '读完了《活着》，福贵的一生让人难过。',
    '下个月的目标：每天背二十个单词，早睡早起。',
    '妈妈打电话来说家里的桂花开了。',
    '工作上的事情太多，要学会拒绝。',
  ],
  traditional: [
    '今年的目標是學會游泳，並且每週運動三次。',
    '媽媽說健康最重要，錢夠用就好。',
    '昨天在書店買了三本關於歷史的書。',
    '晚餐吃了牛肉麵，味道還不錯。',
    '想寫一本關於台北巷子的小說。',
  ],
  japanese: [
    '今日は朝から雨が降っていた。',
    '友達と映画を見に行って、ラーメンを食べた。',
    '来年までに日本語の本を十冊読みたい。',
    '早寝早起きを続けるのは難しい。',
    'カタカナの名前を覚えるのが苦手です。',
  ],
  korean: [
    '오늘 아침에 오 킬로미터를 뛰었다.',
    '저녁에는 친구들과 밥을 먹었다.',
    '내년에는 책을 더 많이 읽고 싶다.',
    '어머니께서 전화를 하셨다.',
  ],
  russian: [
    'Сегодня утром я пробежал пять километров.',
    'Вечером встретился с друзьями, говорили о прошлом.',
    'В следующем году хочу прочитать больше книг.',
    'Надо научиться отказывать людям, когда нет времени.',
    'Мама звонила и рассказывала о саде.',
  ],
  western: [
    'Heute früh bin ich fünf Kilometer gelaufen – schön!',
    'Für nächste Woche: Äpfel, Öl, Käse und ein großes Brot kaufen.',
    'J’ai couru hier à côté de la forêt, c’était génial.',
    'Les années les plus difficiles étaient aussi les plus utiles.',
    'El año que viene quiero leer más y dormir mejor.',
    'Mañana hablaré con mi compañero sobre el proyecto.',
  ],
  polish: [
    'Dzisiaj rano przebiegłem pięć kilometrów.',
    'Wieczorem spotkałem się z przyjaciółmi, rozmawialiśmy o przeszłości.',
    'W przyszłym roku chcę czytać więcej książek.',
    'Mama dzwoniła i opowiadała o ogrodzie, który właśnie zakwitł.',
  ],
} as const;

export const encodedKinds = [
  { encoding: 'gbk', language: 'simplified' },
  { encoding: 'gb18030', language: 'simplified' },
  { encoding: 'big5', language: 'traditional' },
  { encoding: 'shift_jis', language: 'japanese' },
  { encoding: 'euc-jp', language: 'japanese' },
  { encoding: 'euc-kr', language: 'korean' },
  { encoding: 'windows-1251', language: 'russian' },
  { encoding: 'koi8-r', language: 'russian' },
  { encoding: 'windows-1252', language: 'western' },
  { encoding: 'windows-1250', language: 'polish' },
  { encoding: 'utf-16le', language: 'simplified' },
  { encoding: 'utf8', language: 'simplified' },
] as const;

export interface EncodedNote {
  readonly text: string;
  readonly bytes: Buffer;
}

/** A note of a few paragraphs under headings, and its bytes as an independent encoder writes them. */
export function encodedNote(kind: (typeof encodedKinds)[number], random: () => number): EncodedNote {
  const lines = sentences[kind.language];
  const pick = (): string => lines[Math.floor(random() * lines.length)] ?? '';
  const paragraphs = Array.from({ length: 3 + Math.floor(random() * 6) }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, pick).join(
      kind.language === 'simplified' ? '' : ' ',
    ),
  );
  const text = paragraphs.map((words, at) => `## ${at + 1}. ${pick().slice(0, 8)}\n\n${words}\n`).join('\n');
  return { text, bytes: iconv.encode(text, kind.encoding, { addBOM: false }) };
}
