import { hanCharacter } from './han-text.ts';

/** The unit of a count or measurement. Units of one dimension convert into each other by their factors. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

/** `dimension: name[=factor] …`; a Latin name is a separate word, a Han name directly follows the number. */
const table = `
percent: % percent pct per_cent 成=10
point: percentage_point percentage_points points 个百分点 百分点 basis_point=0.01 basis_points=0.01 个基点=0.01
dollar: dollar dollars us_dollar us_dollars u.s._dollar u.s._dollars american_dollar american_dollars usd 美元 美金 cent=0.01 cents=0.01 美分=0.01 美仙=0.01
euro: euro euros eur 欧元
yuan: yuan renminbi rmb cny 元人民币 人民币 块钱
local_yuan: 元
pound: pounds gbp 英镑
yen: yen jpy 日元 日圆
rupee: rupee rupees inr 卢比
won: won krw 韩元
hong_kong_dollar: hkd 港元 港币 hong_kong_dollar hong_kong_dollars
canadian_dollar: cad 加元 加币 canadian_dollar canadian_dollars
australian_dollar: aud 澳元 澳币 australian_dollar australian_dollars
singapore_dollar: sgd 坡元 新加坡元 singapore_dollar singapore_dollars
new_zealand_dollar: nzd 纽元 新西兰元 new_zealand_dollar new_zealand_dollars
taiwan_dollar: twd 新台币 台币 台币元 taiwan_dollar taiwan_dollars new_taiwan_dollars
franc: franc francs chf 法郎 瑞郎
krona: krona kronor krone kroner sek nok dkk 克朗
ruble: ruble rubles rouble roubles rub 卢布
peso: peso pesos 比索
real: reais brl 雷亚尔
lira: lira liras 里拉
rand: rand zar 兰特
baht: baht thb 泰铢
ringgit: ringgit myr 令吉 林吉特
rupiah: rupiah idr 印尼盾
dirham: dirham dirhams aed 迪拉姆
riyal: riyal riyals sar 里亚尔
shekel: shekel shekels 谢克尔
bitcoin: bitcoin bitcoins btc 比特币
second: millisecond=0.001 milliseconds=0.001 ms=0.001 毫秒=0.001 second seconds sec secs 秒 秒钟 minute=60 minutes=60 min=60 mins=60 分钟=60 hour=3600 hours=3600 hr=3600 hrs=3600 小时=3600 个小时=3600 day=86400 days=86400 天=86400 week=604800 weeks=604800 周=604800 星期=604800 个星期=604800
month: month months 个月 quarter=3 quarters=3 个季度=3 year=12 years=12 年=12 年期=12 岁=12 decade=120 decades=120
byte: byte bytes 字节 kb=1e3 mb=1e6 gb=1e9 tb=1e12 pb=1e15
watt: watt watts w 瓦 瓦特 kw=1e3 kilowatt=1e3 kilowatts=1e3 mw=1e6 megawatt=1e6 megawatts=1e6 gw=1e9 gigawatt=1e9 gigawatts=1e9 吉瓦=1e9
watt_hour: wh kwh=1e3 mwh=1e6 gwh=1e9 千瓦时=1e3 度电=1e3
metre: nm=1e-9 纳米=1e-9 mm=1e-3 毫米=1e-3 cm=0.01 厘米=0.01 metre metres meter meters 米 km=1e3 kilometre=1e3 kilometres=1e3 kilometer=1e3 kilometers=1e3 公里=1e3 foot=0.3048 feet=0.3048 英尺=0.3048 mile=1609.344 miles=1609.344 英里=1609.344
area: 平方米 square_metres square_meters square_feet=0.092903 平方英尺=0.092903 平方呎=0.092903 平方尺=0.092903 方呎=0.092903 acre=4046.86 acres=4046.86 英亩=4046.86 公顷=10000 hectares=10000
ounce: ounce ounces oz 盎司
gram: gram grams 克 kg=1e3 kilogram=1e3 kilograms=1e3 公斤=1e3 tonne=1e6 tonnes=1e6 ton=1e6 tons=1e6 吨=1e6 pounds_weight=453.592
flop: flop flops megaflop=1e6 megaflops=1e6 gigaflop=1e9 gigaflops=1e9 teraflop=1e12 teraflops=1e12 petaflop=1e15 petaflops=1e15 exaflop=1e18 exaflops=1e18
bit: kbps=1e3 mbps=1e6 gbps=1e9 tbps=1e12
litre: litre litres liter liters 升装 公升 ml=0.001 millilitre=0.001 millilitres=0.001 毫升=0.001 gallon=3.785 gallons=3.785 加仑=3.785
barrel: barrel barrels 桶
speed: mph=1.609344 kph km/h knots=1.852
dead: 死 人死 死亡
injured: 伤 人伤 受伤
hertz: hz khz=1e3 mhz=1e6 ghz=1e9 赫兹
degree: degree degrees °C °F 度
parameter: parameter parameters params 参数 个参数
token: token tokens 词元
times: times x × fold 倍
user: user users customer customers subscriber subscribers 用户 名用户 位用户 个用户 客户 家客户
employee: employee employees staff staffers workers job jobs colleague colleagues 员工 名员工 个职位 个岗位 名同事
person: people person persons 人 名 位
`;

const units = new Map<string, Unit>();
for (const line of table.trim().split('\n')) {
  const [dimension = '', names = ''] = line.split(': ');
  for (const entry of names.split(' ')) {
    const [name = '', factor = '1'] = entry.split('=');
    units.set(name.replaceAll('_', ' ').toLowerCase(), { dimension, factor: Number(factor) });
  }
}

/** Requires lower case. */
export function unitNamed(name: string): Unit | undefined {
  return units.get(name);
}

const hanNames = [...units.keys()].filter((name) => hanCharacter.test(name));
const hanUnit = new RegExp(
  `^ ?(?:${hanNames.sort((one, other) => other.length - one.length).join('|')})`,
  'u',
);
const latinUnit =
  /^(?:[ -]?(?:(per cent|percentage points?|basis points?|square (?:met(?:re|er)s|feet)|(?:Hong Kong|US|U\.S\.|American|Canadian|Australian|Singapore|New Zealand|(?:New )?Taiwan) dollars?)(?!\p{L})|(%|°[CF])|([\p{Script=Latin}×]+)(?![\p{Script=Latin}\d])))/iu;

const currencySigns: readonly (readonly [RegExp, string])[] = [
  [/HK\$ ?$|HKD ?$/u, 'hkd'],
  [/(?:CA|C)\$ ?$|CAD ?$/u, 'cad'],
  [/(?:AU|A)\$ ?$|AUD ?$/u, 'aud'],
  [/S\$ ?$(?<!US\$ ?)|SGD ?$/u, 'sgd'],
  [/NZ\$ ?$|NZD ?$/u, 'nzd'],
  [/NT\$ ?$|TWD ?$/u, 'twd'],
  [/CHF ?$/u, 'chf'],
  [/(?:US|U\.S\. ?)?\$ ?$|USD ?$/u, 'usd'],
  [/€ ?$|EUR ?$/u, 'eur'],
  [/£ ?$|GBP ?$/u, 'gbp'],
  [/(?:RMB|CNY|CN¥|人民币) ?$/u, 'cny'],
  [/₹ ?$|INR ?$/u, 'inr'],
  [/₩ ?$/u, 'krw'],
  [/¥ ?$/u, '¥'],
];
/** The sign of two currencies: it matches either. */
const yenOrYuan: Unit = { dimension: 'yen or yuan', factor: 1 };
const isCurrency = new Set([
  ...'dollar euro yuan local_yuan pound yen rupee won franc krona ruble peso real lira rand baht ringgit rupiah dirham riyal shekel bitcoin'.split(
    ' ',
  ),
  ...'hong_kong canadian australian singapore new_zealand taiwan'
    .split(' ')
    .map((place) => `${place}_dollar`),
  yenOrYuan.dimension,
]);

const localCurrencies = ['yuan', 'hong_kong_dollar', 'taiwan_dollar', 'yen', yenOrYuan.dimension];

/** The unit of the number between `before` and `after`, and its length in `after`. */
export function unitAround(
  before: string,
  after: string,
): { readonly unit: Unit; readonly length: number } | null {
  for (const [sign, name] of currencySigns) {
    if (sign.test(before)) return { unit: units.get(name) ?? yenOrYuan, length: 0 };
  }
  if (/百分之 ?$/u.test(before)) return { unit: { dimension: 'percent', factor: 1 }, length: 0 };
  const han = hanUnit.exec(after)?.[0];
  if (han !== undefined) return { unit: units.get(han.trim()) ?? yenOrYuan, length: han.length };
  const latin = latinUnit.exec(after);
  const name = latin?.[1] ?? latin?.[2] ?? latin?.[3];
  const unit = name === undefined ? undefined : units.get(name.toLowerCase());
  return latin === null || unit === undefined ? null : { unit, length: latin[0].length };
}

/** Whether a text that states `stated` supports `claimed`. Both null: unknown, and accepted. */
export function unitsAgree(claimed: Unit | null, stated: Unit | null): boolean {
  if (claimed === null) return true;
  // Money and shares are never written without their sign; other nouns after a number may be unknown to us.
  if (stated === null) return !isCurrency.has(claimed.dimension) && claimed.dimension !== 'percent';
  if (claimed.dimension === stated.dimension) return true;
  const both = new Set([claimed.dimension, stated.dimension]);
  if (both.has(yenOrYuan.dimension)) return both.has('yen') || both.has('yuan');
  // 元 alone is the local currency.
  if (both.has('local_yuan')) return localCurrencies.some((one) => both.has(one));
  return both.has('person') && ['user', 'employee', 'dead', 'injured'].some((one) => both.has(one));
}
