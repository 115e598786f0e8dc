import type { CategoryRule } from './category-rule.ts';
import { rule } from './category-rule.ts';

/** Names of models: a known family, or any name with a number and a size: Opus 4.8, Qwen3.6-Plus, 8B. */
const family =
  'GPT|Claude (?:Opus|Sonnet|Haiku)|Opus|Sonnet|Haiku|Gemini|Gemma|Llama|Mistral|Qwen|DeepSeek[ -]?V|GLM|Grok|Phi|Hunyuan|Ernie|MiniMax M|MiMo|Ring|Ling|Step|LFM|Nemotron|Granite|OLMo|Omni|Veo|Sora|Imagen|Whisper|Command';
const modelName = String.raw`(?:\b(?:${family})[ -]?(?:\w{1,8}[ -])?[A-Z]?\d+(?:\.\d+)?\b|\b\d+(?:\.\d+)?[BT]\b(?:-A\d+B)?)`;
export const release =
  'releas(?:es|ed|ing)|launch(?:es|ed)|introduc(?:es|ed|ing)|unveil(?:s|ed)|announc(?:es|ed|ing)|ships?|open[- ]?sourc(?:es|ed|ing)|debuts?|publishes|presents';

export const modelRules: readonly CategoryRule[] = [
  rule('ai-models', 'releases a model', 3.4, 'title', {
    raw: [String.raw`\b(?:${release})\b.{0,40}\b(?:model|models|llm|weights|checkpoint|parameters)\b`],
    zh: [
      '(?:发布|推出|开源|上线|公布|亮相|测试).{0,16}(?:大模型|模型(?!选择|商店|广场|审计|接入|训练)|权重)',
      '模型.{0,16}(?:发布|开源|上线|亮相|降价|下线)',
      '系列模型',
      '模型家族',
    ],
  }),
  rule('ai-models', 'a model’s name is the title', 2.8, 'title', {
    raw: [
      String.raw`^(?:introducing |meet |announcing )?(?:\p{Lu}[\p{L}]+ ){0,2}${modelName}(?: \p{Lu}\w+){0,2}$`,
      String.raw`^introducing (?:gemini|claude|gpt|llama|gemma|grok|qwen)\b`,
    ],
  }),
  rule('ai-models', 'releases what is named like a model', 2.6, 'title', {
    raw: [
      String.raw`(?:\b(?:${release}|drafters for|abandons)\b.{0,40}|(?:发布|推出|开源|上线).{0,14})${modelName}`,
    ],
  }),
  // A name with a number that is not a software version.
  rule('ai-models', 'releases what has a name and a number', 1.2, 'title', {
    raw: [
      String.raw`(?:\b(?:${release})\b.{0,12}|(?:发布|推出|开放|上线).{0,14}|^with )\p{Lu}\p{Ll}+ \d+(?:\.\d)?(?! ?版|\.\d|\d|:)`,
      String.raw`\p{Lu}\p{Ll}+ \d+(?:\.\d)?(?: \p{Lu}\p{Ll}+)? .{0,14}(?:开放|takes aim)`,
    ],
  }),
  rule('ai-models', 'the new model', 3, 'text', {
    en: [
      '(?:widens?|opens?) access to \\p{Lu}',
      'model card',
      'unnamed model',
      'unannounced model',

      '(?:release|launch) of \\p{Lu}\\p{L}+ \\d',
      '(?:its|their) (?:new|next|newest|latest) model',
      'newest model',
      'a model (?:with|that)',

      '(?:new|next|largest|latest|smallest) model',
      'the model,? (?:from|has|which)',
      'model with \\d',
      '(?<!up to )(?<![\\d.])\\d+(?:\\.\\d+)? (?:billion|million|trillion) parameters',
      'context window',
      'family of models',
      'anything-to-anything',
      'frontier model',
    ],
    zh: [
      '(?:发布|推出|开放).{0,10}\\p{Lu}\\p{Ll}+ \\d',
      '训练数据来源',

      '新模型',
      '下一代模型',
      '(?:这|该)款?模型(?:规模|拥有|为|针对)',
      '[亿万] ?参数',
      '上下文窗口',
      '世界模型',
    ],
  }),
  rule('ai-models', 'open weights', 2.8, 'text', {
    en: [
      'open[- ]weights?',
      '(?:the |its )?weights (?:of|and all|can be)',
      'open[- ]source (?:\\w+ ){0,2}(?:model|llm|voice)',
      'permissive licen[cs]e',
      'gives away',
      'open release of',
      'under an? .{0,30}licen[cs]e',
    ],
    zh: [
      '开源 ?\\p{Lu}\\p{Ll}+ \\d',
      '许可证',
      '开源权重',
      '(?:公开|开放).{0,12}权重',
      '开放权重',
      '权重(?:可|已|开放)',
      '许可',
    ],
  }),
  rule('ai-models', 'a model is measured', 2.8, 'text', {
    raw: [String.raw`${modelName}.{0,40}\b(?:matches|beats|tops|outperforms|scores|surpasses|leads)\b`],
    en: [
      'result on',
      'was tested on',
      'through (?:its|their) paces',
      'rerun',
      'repeats the .{2,30} run',
      'maintainers of',
      'sealed questions',
      'top entries',

      '(?:tops|leads|overtak(?:es|ing)|first place on|claims first|new .{2,30} leader|record on)',
      'scores? (?:of )?\\d+(?:\\.\\d+)? ?(?:percent|%|points)',
      '(?:answered|reach(?:es|ed)) \\d+(?:\\.\\d+)? percent',
      'round of .{2,30} results',
      'results put',
      'nearest rival',
      'public table',
    ],
    zh: [
      '成绩',
      '评测',
      '题目',
      '拿下 ?\\d',
      '测试出炉',

      '得分',
      '跑分',
      '榜首',
      '登顶',
      '易主',
      '表现变差',
      '位列.{0,16}第一',
      '取得 ?\\d',
      '答对',
      '公开榜单',
    ],
  }),
];
