export interface TextToClassify {
  readonly title: string;
  /** Only its beginning is read. */
  readonly text: string;
  readonly url: string;
}

/** The part of a text that a form is found in. */
type Where = 'title' | 'lead' | 'url';

/** Forms of titles, openings and addresses that hint at the kind of a text; features of a model, none decides. */
const forms: readonly (readonly [string, Where, RegExp])[] = [
  [
    'instruction',
    'title',
    /^(?:build|run|add|speed up|improve|automate|control|secure|compose|transform|streamline|unlock|develop|train|deploy|create|use|learn|stop|convert|extract|accelerate|optimi[sz]e|scale|integrate|connect|manage|migrate|turn|make|get|let|give|set up|write|choose|understand|master|explore|design|test|debug|monitor|protect|reduce|cut|save|try|watch|read|listen|take|catch)\b/iu,
  ],
  [
    'activity',
    'title',
    /^(?!(?:beijing|king|spring|meeting|rising|growing|nothing|something|everything)\b)\p{L}{3,}ing\b/iu,
  ],
  [
    'how to',
    'title',
    /^how (?:to|i|we|you)\b|\bhow to\b|如何(?!看待|评价)|怎么(?!看)|教程|指南|实战|手把手|上手|入门/iu,
  ],
  ['how', 'title', /^how\b/iu],
  ['why', 'title', /^why\b|\bwhy (?:the|it|we|your?|i|this)\b|为什么|为何/iu],
  ['what', 'title', /^(?:what|when|where|who|which)\b/iu],
  ['question', 'title', /^(?:is|are|can|could|do|does|did|will|should|would|has|have)\b.*\?|[?？]$/iu],
  ['asked', 'title', /如何看待|如何评价|怎么看|有哪些/u],
  [
    'list',
    'title',
    /^(?:the )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten) (?!million|billion|percent|%|years?|days?|hours?)\p{L}+|\btop \d+\b|盘点|榜单|大盘点/iu,
  ],
  ['first person', 'title', /^(?:i|i['’](?:ve|m|d|ll)|my)\b|\b(?:i|me|my)\b/iu],
  ['we', 'title', /^(?:we|our|we['’](?:re|ve))\b/iu],
  ['second person', 'title', /\b(?:you|your|you['’]re)\b|你|您/iu],
  [
    'test',
    'title',
    /\b(?:reviews?|reviewed|hands[- ]on|tested|we tried|i tried|verdict|unboxing|first look|surprisingly)\b|评测|测评|体验|开箱|试驾/iu,
  ],
  [
    'best of',
    'title',
    /\bbest\b.*(?:\b20\d\d\b|\bfor\b|\bof\b|\bto\b)|\b(?:gifts?|picks|worth (?:buying|it))\b/iu,
  ],
  ['comparison', 'title', /\b(?:vs\.?|versus|compared|comparison)\b|对比|横评/iu],
  [
    'lesson',
    'title',
    /\b(?:guide|tutorial|step[- ]by[- ]step|walk-?through|introduction to|intro to|101|explained|explainer|cheat ?sheet|from scratch|deep dive|lessons?|tips|tricks|best practices|checklist|course|primer|coding implementation|masterclass|patterns|for beginners|quick ?start|workflow)\b/iu,
  ],
  [
    'with a tool',
    'title',
    /\b(?:using|with) (?:amazon|aws|azure|google cloud|nvidia|python|docker|claude|gemma|gpt)\b/iu,
  ],
  [
    'customer',
    'title',
    /^how \p{Lu}\S*(?: \p{Lu}\S*)* (?:uses?|used|is|built|cut|saved?|scales?|scaled|reduced|engineers)\b|\b(?:transforms?|rethinks?|modernizes?) .* with\b/u,
  ],
  [
    'reported',
    'title',
    /\b(?:says?|said|reportedly|report|reports|sources?:|according to|confirms?|denies|warns?|testif\w+|tells?|reveals?|claims?|accuses?|pleads?|vows?|urges?|admits?)\b|报道称|消息称|据报道|回应|披露|透露/iu,
  ],
  [
    'event',
    'title',
    /\b(?:releas(?:es|ed)|launch(?:es|ed)|introduc(?:es|ing)|unveil(?:s|ed)|announc(?:es|ed|ing)|rais(?:es|ed)|acquir(?:es|ed)|buys|sells|sues?|sued|bans?|banned|blocks?|cuts|upgrades?|surg(?:es|ed)|reaches|hits|rises|falls|open[- ]sources?|signs?|fires?|lays off|laid off|leaves|joins?|wins?|loses?|beats?|adds|expands?|brings|gets|opens|ships|partners?|approves?|settles?|files|appoints|names|hires|invests?|secures|plans|delays|drops|ends|shuts|faces|is now|are now|now available|dies|killed|arrested|indicted)\b|发布|推出|上线|开源|宣布|收购|融资|起诉|裁员|降价|突破|获批|达成|完成|启动|成立|签署|上市|落户|公布/iu,
  ],
  ['money', 'title', /[$€£¥]\s?\d|\d\s?(?:亿|万)?(?:美元|元|亿)/u],
  ['quotation', 'title', /[‘“"「].{3,}[’”"」]/u],
  ['colon', 'title', /[:：]/u],
  ['dash', 'title', /\s[—–|-]\s|—/u],
  ['exclamation', 'title', /[!！]/u],
  [
    'interview',
    'title',
    /\b(?:interview|q&a|in conversation|on why|thinks|profile|inside|meet)\b|专访|对话|访谈/iu,
  ],
  [
    'broadcast',
    'title',
    /\b(?:podcast|episode|listen|watch|video|roundtables?|live ?stream|webinar|keynote|panel|stage)\b|直播|视频/iu,
  ],
  [
    'several subjects',
    'title',
    /^the download\b|\b(?:weekly|this week|last week|round-?up|newsletter|digest|everything (?:you|announced)|all the|in brief|and more|news from|recap|what we announced|catch up|key trends|to watch|latest (?:updates|news))\b|;.*;|早报|午报|晚报|周报|日报|速览|一周|合集|复盘|收评/iu,
  ],
  [
    'claim',
    'title',
    /\b(?:should|shouldn['’]t|must|needs? to|problem|wrong|nobody|really|actually|enough|stop|don['’]t|isn['’]t|aren['’]t|is not|are not|never|case (?:for|against)|(?:praise|defen[cs]e) of|is dead|dead|hype|myths?|lie|truth|opinion|essay|manifesto|rant|dumb|toxic|dangerous|matters?)\b|观点|评论|社论|锐评/iu,
  ],
  [
    'analysis',
    'title',
    /\b(?:analysis|what it means|what .* means?|behind|lessons from|the state of|state of|numbers|data shows?|explains?|under the microscope|reality check|trends?|future of|the rise of|how .* (?:is|are) (?:changing|turning|reshaping))\b|深度|解析|拆解|解读|分析|展望|破局|图啥/iu,
  ],
  [
    'study',
    'title',
    /\b(?:towards?|via|benchmark(?:s|ing)?|evaluat(?:ing|ion)|empirical|a survey|novel|framework for|learning for|based on|aware|robust|efficient|scalable|dataset|arxiv|preprint|paper)\b|论文|技术报告/iu,
  ],
  ['name and colon', 'title', /^[\p{L}\d.+-]{2,20}: \p{Lu}/u],
  ['repository', 'title', /^[\w.-]+ ?\/ ?[\w.-]+$/u],
  ['show', 'title', /^(?:show|launch) hn\b/iu],
  ['ask', 'title', /^(?:ask|tell) hn\b|^poll\b/iu],
  [
    'version',
    'title',
    /\bv?\d+\.\d+(?:\.\d+)+\b|\bv\d|\b(?:release notes|changelog|patch notes|system card)\b|版本|更新日志/iu,
  ],
  [
    'lead of a post',
    'lead',
    /\b(?:in this (?:post|article|tutorial|guide|video|blog)|this (?:post|tutorial|guide|article) (?:shows|walks|explains|will)|step \d|prerequisites|let['’]s)\b|本文(?:将|介绍|教)/iu,
  ],
  ['first person in the lead', 'lead', /(?:^|[.!?] )(?:I|My|I['’](?:ve|m|d))\b.*\b(?:I|my|me)\b/u],
  [
    'reported in the lead',
    'lead',
    /\b(?:said|announced|told|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|according to|reuters|(?:ap)\))|记者|据.{0,8}(?:报道|消息)|日电|[讯訊]/iu,
  ],
  ['abstract', 'lead', /\b(?:we (?:propose|present|introduce|show|study)|this paper|in this work)\b/iu],
  [
    'address of opinion',
    'url',
    /\/(?:opinions?|commentary|columns?|editorials?|ideas|letters|views?|blogs?|perspectives?)(?:\/|$)/iu,
  ],
  ['address of reviews', 'url', /\/(?:reviews?|gallery|gear|best-|shopping|deals?|coupons?|buying)/iu],
  [
    'address of lessons',
    'url',
    /\/(?:how-?to|tutorials?|guides?|learn|courses?|docs?|academy|machine-learning)(?:\/|$)/iu,
  ],
  [
    'address of broadcasts',
    'url',
    /\/(?:podcasts?|videos?|watch|live|audio)(?:\/|$|\?)|youtube\.com|youtu\.be/iu,
  ],
  ['address of releases', 'url', /\/(?:releases|changelog|release-notes)(?:\/|$)/iu],
  ['address of a repository', 'url', /(?:github|gitlab)\.com\/[^/]+\/[^/]+\/?$/iu],
  [
    'address of a paper',
    'url',
    /arxiv\.org|openreview\.net|biorxiv|medrxiv|aclanthology|\/papers?\/|doi\.org/iu,
  ],
  [
    'address of news',
    'url',
    /\/(?:news|story|stories|press|newsroom|announcements?|world|us|politics|business)(?:\/|$)/iu,
  ],
];

const leadChars = 280;

/** The names of the forms that a text has. */
export function formsOf({ title, text, url }: TextToClassify): readonly string[] {
  const parts: Readonly<Record<Where, string>> = { title, url, lead: text.slice(0, leadChars) };
  const found = forms.filter(([, where, form]) => form.test(parts[where])).map(([name]) => name);
  return isTitleCase(title) ? [...found, 'title case'] : found;
}

/** Titles of papers, blogs and some publishers capitalize most words. */
function isTitleCase(title: string): boolean {
  const words = title.match(/\p{Script=Latin}{4,}/gu) ?? [];
  return words.length >= 4 && words.filter((word) => /^\p{Lu}/u.test(word)).length >= 0.8 * words.length;
}
