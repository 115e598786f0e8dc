/**
 * The consonants of a foreign name, the same in Latin letters and in Chinese: Clinton and 克林顿 are KLNTN. Vowels and
 * what transliterations drop are left out, consonants that they exchange are one.
 */

/** Characters used in transliterated names, by their Mandarin sound; those of Hong Kong included. */
const table = `
a 阿亚雅 ai 埃艾爱哀 an 安 ang 昂 ao 奥澳敖 ba 巴芭伯霸 bai 白拜贝佰 ban 班 bang 邦 bao 鲍宝包 bei 贝蓓 ben 本宾奔 bi 比毕碧彼 bian 边 biao 彪 bin 滨 bo 波博勃玻伯柏 bu 布卜
cha 查察 chai 柴 chang 昌 che 彻车切 chen 陈 chi 奇池 chu 楚 ci 茨慈 cun 村 da 达大打 dai 戴代黛 dan 丹 dang 当 dao 道 de 德得 deng 邓登 di 迪蒂狄地帝底 die 迭 ding 丁 do 多 dong 东 dou 杜 du 杜都度 dun 顿敦登 duo 多朵
e 厄俄娥 en 恩 er 尔耳 fa 法发 fan 范凡梵 fang 方 fei 费菲斐 fen 芬 feng 冯丰 fo 佛 fu 弗夫福富芙 ga 加嘉 gai 盖 gan 甘 gang 冈 gao 高 ge 格戈葛哥 gen 根 gong 贡 gou 苟 gu 古顾 gua 瓜 guan 关 gui 圭 guo 果
ha 哈 hai 海 han 汉罕 hang 杭 hao 豪 he 赫和 hei 黑 heng 亨 hong 洪 hu 胡湖 hua 华 huai 怀 hui 惠 huo 霍 ji 吉基季 jia 贾佳 jian 简 jiang 姜 jie 杰捷 jin 金 jing 京 ju 居 ka 卡 kai 凯恺 kan 坎 kang 康 kao 考 ke 克科可柯 ken 肯 keng 坑 kong 孔 kou 寇 ku 库 kua 夸 kuang 匡 kui 奎 kun 昆
la 拉 lai 莱赖来 lan 兰岚 lang 朗郎 lao 劳 le 勒乐 lei 雷蕾 leng 伦 li 里利丽莉李黎理 lian 连莲 liang 梁 lie 列 lin 林琳 ling 林 liu 刘 long 龙隆 lou 娄 lu 卢鲁路露 lun 伦 luo 罗洛萝 ma 马玛麻 mai 迈麦 man 曼文 mang 芒 mao 毛 mei 梅美 men 门 meng 蒙孟 mi 米密 mian 缅 miao 苗 ming 明 mo 莫摩默墨 mu 穆慕姆
na 纳娜拿那 nai 奈乃 nan 南 nao 瑙 nei 内 nen 嫩 neng 能 ni 尼妮 nian 年 ning 宁 niu 纽 nong 农 nu 努奴 nuo 诺 ou 欧 pa 帕 pai 派 pan 潘 pang 庞 pei 佩裴 peng 彭 pi 皮匹 pin 平 ping 平 po 坡 pu 普蒲朴 qi 齐奇 qia 恰 qian 千 qiang 强 qiao 乔 qie 切 qin 秦 qing 青 qiong 琼 qiu 丘 rang 让 rao 饶 re 热 ren 任 ri 日 rong 荣 rou 若 ru 茹 rui 瑞 run 润
sa 萨莎撒 sai 塞赛 san 桑三 sang 桑 sao 扫 se 瑟色 sen 森 sha 沙莎夏 shan 珊山 shang 尚 shao 绍 she 舍 shen 申 sheng 圣 shi 施史什士 shu 舒 shun 顺 si 斯思司 song 宋松 su 苏素 sui 绥 sun 孙 suo 索 ta 塔他 tai 泰太 tan 坦谭 tang 汤唐 tao 陶 te 特 teng 滕 ti 蒂提 tian 天田 ting 廷 tong 通 tou 头 tu 图 tun 吞 tuo 托
wa 瓦 wai 怀 wan 万 wang 旺王 wei 维威韦薇魏 wen 文温 weng 翁 wo 沃 wu 伍武乌吴 xi 西希锡 xia 夏 xian 仙 xiao 肖 xie 谢 xin 辛 xing 兴 xiong 雄 xiu 休 xu 许 xun 逊 ya 亚雅 yan 扬延 yang 扬杨 yao 姚 ye 耶叶 yi 伊易依 yin 因英 ying 英 yong 永 you 尤 yu 于 yuan 元 yue 约 yun 云 za 扎 zai 宰 zan 赞 zang 藏 ze 泽 zen 曾 zha 扎 zhai 翟 zhan 詹占 zhang 张 zhe 哲 zhen 珍 zhi 芝 zhong 中 zhu 朱 zhuang 庄 zhuo 卓 zi 兹子 zong 宗 zu 祖 zuo 佐左`;

const classes: Readonly<Record<string, string>> = {
  b: 'P',
  p: 'P',
  d: 'T',
  t: 'T',
  g: 'K',
  k: 'K',
  h: '',
  j: 'S',
  q: 'S',
  x: 'S',
  z: 'S',
  c: 'S',
  s: 'S',
  m: 'N',
  n: 'N',
  l: 'L',
  r: 'L',
  f: 'F',
  v: 'F',
  w: '',
  y: '',
};

const soundOf: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split(/\s+/u)
    .reduce<[string, string][]>((pairs, entry, at, all) => {
      if (at % 2 === 1)
        for (const character of entry) pairs.push([character, consonantsOfSyllable(all[at - 1] ?? '')]);
      return pairs;
    }, []),
);

/** `jie` S, `lang` LN, `er` L. */
function consonantsOfSyllable(syllable: string): string {
  if (syllable === 'er') return 'L';
  const initial = /^(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?/u.exec(syllable)?.[0] ?? '';
  const nasal = /ng?$/u.test(syllable.slice(initial.length)) ? 'N' : '';
  return (classes[initial[0] ?? ''] ?? '') + nasal;
}

/** A name of fewer consonants would sound like too many words. */
const consonantsMin = 3;
const hanCharsMax = 6;

const collapsed = (sounds: string): string => sounds.replaceAll(/(.)\1+/gu, '$1');

/** The key of a Chinese name; null if it is no transliteration. */
export function hanSound(name: string): string | null {
  if (name.length < 2 || name.length > hanCharsMax) return null;
  let sounds = '';
  for (const character of name) {
    const sound = soundOf.get(character);
    if (sound === undefined) return null;
    sounds += sound;
  }
  const key = collapsed(sounds);
  return key.length < consonantsMin ? null : `^${key}`;
}

/** The keys of all transliterations that a run of Chinese characters may contain. */
export function hanSoundsIn(run: string): string[] {
  const keys = new Set<string>();
  for (let start = 0; start < run.length - 1; start += 1)
    for (let end = start + 2; end <= Math.min(run.length, start + hanCharsMax); end += 1) {
      if (!soundOf.has(run[end - 1] ?? '') || !soundOf.has(run[start] ?? '')) break;
      const key = hanSound(run.slice(start, end));
      if (key !== null) keys.add(key);
    }
  return [...keys];
}

/** The keys of a name in Latin letters: transliterations differ in how they treat some letters. */
export function latinSounds(name: string): string[] {
  const word = name
    .normalize('NFD')
    .replaceAll(/[^a-z]/giu, '')
    .toLowerCase();
  if (word.length < 4) return [];
  const forms = new Set<string>();
  for (const softG of /g[eiy]/u.test(word) ? [false, true] : [false])
    for (const softC of /[cstz]h/u.test(word) ? [false, true] : [false])
      forms.add(latinConsonants(word, softG, softC));
  return [...forms].filter((key) => key.length >= consonantsMin).map((key) => `^${key}`);
}

function latinConsonants(word: string, softG: boolean, softC: boolean): string {
  const spelled = word
    .replaceAll(/ph/gu, 'f')
    .replaceAll(/sch|tch|ch|sh|zh|th(?=$)/gu, softC ? 'k' : 's')
    .replaceAll(/th/gu, 's')
    .replaceAll(/ck|qu|q/gu, 'k')
    .replaceAll(/x/gu, 'ks')
    .replaceAll(/c(?=[eiy])/gu, 's')
    .replaceAll(/c/gu, 'k')
    .replaceAll(/g(?=[eiy])/gu, softG ? 's' : 'g')
    .replaceAll(/gh|h/gu, '')
    // An r before a consonant or at the end is not heard.
    .replaceAll(/r(?![aeiouy])/gu, '')
    .replaceAll(/[aeiou]/gu, '.');
  return collapsed(Array.from(spelled, (letter) => classes[letter] ?? '').join(''));
}
