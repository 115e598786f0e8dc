import type { Language, Pair } from '../dispatch.ts';

/**
 * Names for worlds with more organizations and outlets than were written by hand. Each is put together from parts by
 * its number, so a number always has the same name and no two numbers share one.
 */

const startsOfNames: readonly Pair[] = pairs(
  'Ald 奥德 Bren 布伦 Cald 考德 Dar 达尔 Elm 埃尔姆 Farn 法恩 Gald 加尔德 Hest 赫斯特 Ind 因德 Jorn 约恩 Kell 凯尔 Lorn 洛恩 ' +
    'Mav 马夫 Nell 内尔 Ost 奥斯 Pell 佩尔 Quor 阔尔 Rost 罗斯 Sarn 萨恩 Tev 泰夫 Ulm 乌尔姆 Vorn 沃恩 Wyn 温 Yar 亚尔 Zand 赞德 ' +
    'Bram 布拉姆 Corv 科夫 Drey 德雷 Fenn 芬恩 Grav 格拉夫',
);
const endsOfNames: readonly Pair[] = pairs(
  'ance 安斯 barrow 巴罗 combe 库姆 dane 戴恩 elle 埃勒 ford 福德 gate 盖特 holm 霍尔姆 ique 伊克 ley 利 mere 米尔 nett 内特 ' +
    'orra 奥拉 pine 派恩 quist 奎斯特 ridge 里奇 stow 斯托 thorpe 索普 ure 尤尔 vane 瓦恩 wick 威克 yne 因 ander 安德 bourne 伯恩 ' +
    'croft 克罗夫特 essa 埃萨 fell 费尔 ium 伊姆 lund 伦德 ora 奥罗',
);
const fieldsOfWork: readonly Pair[] = pairs(
  '_ _ Labs 实验室 Systems 系统 Research 研究院 Robotics 机器人 Health 医疗 Compute 算力 Security 安全 Speech 语音 Vision 视觉 Data 数据 Works 工场',
);

/** Han characters with their sound, for Chinese names and the Latin form beside them. */
const firstCharacters: readonly Pair[] = pairs(
  'Qing 清 Yun 云 Lan 岚 Heng 衡 Mo 墨 Song 松 Xing 星 Chen 辰 Ting 汀 Shuo 朔 Lin 麟 Bi 碧 Cang 沧 Ji 霁 Yan 砚 Tang 棠 ' +
    'Zhu 竹 Xi 溪 Feng 枫 Qiao 乔 Ruo 若 Shi 石 Wei 苇 Yu 屿',
);
const secondCharacters: readonly Pair[] = pairs(
  'chuan 川 zhou 舟 ling 岭 hang 航 quan 泉 bei 贝 ge 阁 tai 台 yuan 原 pu 浦 feng 峰 ya 崖 tan 潭 wan 湾 he 禾 qiao 桥 ' +
    'men 门 dao 岛 lin 林 ye 野 hu 湖 shan 杉 ping 坪 xu 序',
);
const chineseFields: readonly Pair[] = pairs(
  '_ 科技 Intelligence 智能 Compute 智算 Silicon 芯片 Robotics 机器人 Health 医疗 Data 数据 Labs 实验室 Systems 系统 Cloud 云服务',
);

/** The nth organization beyond those written by hand. */
export function generatedOrganization(home: Language, nth: number): Pair {
  const [starts, ends, fields] =
    home === 'en'
      ? [startsOfNames, endsOfNames, fieldsOfWork]
      : [firstCharacters, secondCharacters, chineseFields];
  const [start, end, field] = digits(nth, [starts, ends, fields]);
  const en = [start[0] + end[0], field[0]].filter((part) => part !== '_').join(' ');
  const zh = start[1] + end[1] + (field[1] === '_' ? '' : field[1]);
  return [en, zh];
}

const startsOfLines = 'Bas Cer Dul Fen Gim Hol Kas Lum Mir Nor Pav Ril Sel Tor Vin Wes Yor Zel Ard Orm'.split(
  ' ',
);
const endsOfLines =
  'abel adon aris avet elin enor ibel ighan ione itar obex olan omir oreth ulan umbra ystel azar eban irel'.split(
    ' ',
  );

/** The nth name of a model or product line. */
export function generatedFamily(nth: number): string {
  const [start, end, third] = digits(nth, [startsOfLines, endsOfLines, ['', 'ax', 'is', 'on', 'us']]);
  return start + end + third;
}

const englishPlaces = (
  'Port_Ansley Varnholm Lakemere Castelrey Dunmarrow Belcastle Eastquay Saltmarsh Morrowfield Tormund Greywater ' +
  'Halden Northmoor Ashbourne_Vale Kingsferry Oldbridge Millstone Harbour_Row Stonepier Fernhill Whitcombe Redlane'
).split(' ');
const englishSubjects = (
  'Tensor Gradient Kernel Token Latent Vector Cache Silicon Inference Prompt Compute Lattice Signal Stack Loop Parser ' +
  'Epoch Weights Sampler Circuit Server Cluster Dataset Model Agent Robot Cloud Software Chip Startup'
).split(' ');
const englishMastheads = (
  'Letter Notes Weekly Brief Desk Papers Notebook Ledger Review Journal Observer Courier Bulletin Gazette Digest ' +
  'Monitor Chronicle Register Almanac Post Examiner Standard Logbook Wire'
).split(' ');

const chinesePlaces: readonly Pair[] = pairs(
  'jiangnan 江南 haixi 海西 beichuan 北川 dongli 东篱 nanshan 南杉 yunling 云岭 linjiang 麟江 qinghe 清禾 guyu 谷语 shanwai 山外',
);
const chineseSubjects: readonly Pair[] = pairs(
  'suanfa 算法 xinpian 芯片 moxing 模型 shuju 数据 jiqi 机器 suanli 算力 daima 代码 yuyi 语义 zhineng 智能 wangluo 网络 xitong 系统 ' +
    'kaifa 开发 chuangye 创业 chanpin 产品 yunduan 云端 canshu 参数 tuili 推理 biaozhu 标注',
);
const chineseMastheads: readonly Pair[] = pairs(
  'ribao 日报 guancha 观察 zhoukan 周刊 pinglun 评论 sudi 速递 biji 笔记 qianyan 前沿 tongxun 通讯 neican 内参 shouji 手记 wanbao 晚报 ' +
    'kuaixun 快讯 zazhi 杂志 luntan 论坛',
);

export interface OutletName {
  readonly name: string;
  readonly slug: string;
}

/** The nth publisher's title beyond those written by hand, with its name in addresses. The first ones name no place. */
export function generatedOutlet(language: Language, nth: number): OutletName {
  return language === 'en' ? englishOutlet(nth) : chineseOutlet(nth);
}

function englishOutlet(nth: number): OutletName {
  const plain = englishSubjects.length * englishMastheads.length;
  const [subject, masthead, place] = digits(nth < plain ? nth : nth - plain, [
    englishSubjects,
    englishMastheads,
    englishPlaces,
  ]);
  const round = roundOf(nth - plain, plain * englishPlaces.length);
  const parts = [nth < plain ? '' : place.replace('_', ' '), subject, masthead, round];
  const name = parts.filter((part) => part !== '').join(' ');
  return { name, slug: slugOf(name) };
}

function chineseOutlet(nth: number): OutletName {
  const plain = chineseSubjects.length * chineseMastheads.length;
  const [subject, masthead, place] = digits(nth < plain ? nth : nth - plain, [
    chineseSubjects,
    chineseMastheads,
    chinesePlaces,
  ]);
  const parts = nth < plain ? [subject, masthead] : [place, subject, masthead];
  const round = roundOf(nth - plain, plain * chinesePlaces.length);
  const [latin, han] = [0, 1].map((form) => parts.map((pair) => pair[form]).join(''));
  return { name: `${han}${round}`, slug: [latin, round].filter(Boolean).join('-') };
}

/** Empty for the first pass through all combinations, then 2, 3 and so on. */
function roundOf(nth: number, combinations: number): string {
  const round = Math.floor(Math.max(0, nth) / combinations);
  return round === 0 ? '' : String(round + 1);
}

const hostWords = (
  'inkstand letterbox pagewright quillpost columnhub readingroom siterow presshall folio broadleaf papermill mailcoach ' +
  'weblark openpage tidepress lanternhost greenroom highstreet copperline bluepost fairpress oakdesk rivernet stonepage'
).split(' ');
const hostEndings = 'app press media pages works online space zone hub net host site'.split(' ');

/** The nth domain that several outlets share. */
export function sharedDomain(nth: number): string {
  const [word, ending] = digits(nth, [hostWords, hostEndings]);
  const round = roundOf(nth, hostWords.length * hostEndings.length);
  return `${word}-${ending}${round}.example`;
}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
}

/**
 * Reads `nth` as a number whose digits are members of the lists. Each digit is shifted by the one before it, so that
 * neighbouring numbers have no part in common; every number below the product of the sizes still differs.
 */
function digits<Lists extends readonly (readonly unknown[])[]>(
  nth: number,
  lists: readonly [...Lists],
): { [At in keyof Lists]: Lists[At][number] } {
  let rest = nth;
  let shift = 0;
  return lists.map((list) => {
    const at = ((rest % list.length) + shift) % list.length;
    rest = Math.floor(rest / list.length);
    shift = at * 7;
    return list[at];
  }) as { [At in keyof Lists]: Lists[At][number] };
}

function pairs(text: string): Pair[] {
  const words = text.split(' ');
  return Array.from({ length: words.length / 2 }, (_, at) => [words[2 * at] ?? '', words[2 * at + 1] ?? '']);
}
