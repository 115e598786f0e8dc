/** The share of readers that a name concerns, 0 to 1, in coarse editorial steps. */
interface Named {
  readonly reach: number;
  /** A reason uses the first spelling of its line. */
  readonly name: string;
}

const table = `
1: OpenAI; Anthropic; Google,谷歌; Nvidia,NVIDIA,英伟达; Microsoft,微软; Apple,苹果公司; Meta; DeepMind,Google DeepMind
1: ChatGPT; Claude,Claude Code,Claude Opus,Claude Sonnet; Gemini; Copilot,GitHub Copilot
0.9: DeepSeek,深度求索; Amazon,AWS,Amazon Bedrock,亚马逊; xAI,Grok,SpaceXAI; Tesla,特斯拉; Alibaba,Qwen,阿里巴巴,阿里云,通义,千问; ByteDance,字节跳动,豆包,Doubao; Codex; Cursor; Llama; GitHub; Hugging Face
0.8: Tencent,腾讯,混元; Baidu,百度,文心; Huawei,华为,昇腾; Mistral,Mistral AI; Perplexity; AMD; Intel,英特尔; TSMC,台积电; Samsung,三星; Moonshot,Kimi,月之暗面; Zhipu,智谱,GLM,Z.ai; MiniMax; SpaceX; Salesforce; Oracle,甲骨文; IBM; Adobe; OpenRouter; LangChain; Ollama; vLLM; PyTorch; CUDA; MCP
0.7: Cohere; Stability AI; Midjourney; Runway; ElevenLabs; Databricks; Snowflake; Cerebras; Groq; CoreWeave; Scale AI; Figure; Waymo; Uber; Notion; Vercel; Cloudflare; Xiaomi,小米; Meituan,美团; Kuaishou,快手,Kling,可灵; StepFun,阶跃星辰; SenseTime,商汤; iFlytek,科大讯飞; Ant Group,蚂蚁集团,蚂蚁百灵; SoftBank,软银; Blackstone; Palantir; Suno; Replit; Windsurf; Manus; Sakana AI; Nous Research,Hermes Agent; Unitree,宇树
`;

const named = new Map<string, Named>(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [reach = '', names = ''] = line.split(': ');
      return names.split(';').flatMap((entry) => {
        const spellings = entry.split(',').map((spelling) => spelling.trim());
        const [name = ''] = spellings;
        return spellings.map((spelling) => [spelling.toLowerCase(), { reach: Number(reach), name }] as const);
      });
    }),
);

/** Longer spellings first: "Claude Code" is not "Claude". */
const spellings = [...table.matchAll(/[^:;,\n]+(?=[;,\n])/gu)]
  .map(([spelling]) => spelling.trim())
  .filter((spelling) => named.has(spelling.toLowerCase()))
  .sort((one, other) => other.length - one.length)
  .map((spelling) => RegExp.escape(spelling));

const before = '(?<![\\p{Script=Latin}\\d]|[\\p{Script=Latin}\\d][-.])';
/** "Meta-Cognitive" is not Meta; "OpenAI-backed" is OpenAI. */
const after =
  '(?!\\p{Script=Latin}|-(?!\\p{Ll}+(?:ed|led|made|built|run|style|native|compatible|based|like)\\b)[\\p{L}])';
const inText = new RegExp(
  `${before}(?:(GPT-\\d+(?:\\.\\d+)*)|(${spellings.join('|')}))${after}|(${spellings.filter((one) => /\p{Script=Han}/u.test(one)).join('|')})`,
  'gu',
);
/** Repositories write names in lower case with additions: anthropics/claude-code. */
const inRepository = new RegExp(
  `(?<![\\p{Script=Latin}\\d])(?:(gpt-\\d+(?:\\.\\d+)*)|(${spellings.join('|')}))s?(?![a-z])`,
  'giu',
);
const repository = /^[\w.-]+ ?\/ ?[\w.-]+$/u;

/** The known names in a title, in its order. A version belongs to the name: GPT-5.5 is not GPT-5. */
export function namesIn(title: string): readonly Named[] {
  const forms = repository.test(title) ? inRepository : inText;
  return Array.from(title.matchAll(forms), ([, version, spelling, han]) =>
    version === undefined
      ? (named.get((spelling ?? han ?? '').toLowerCase()) ?? [])
      : { reach: 1, name: version.toUpperCase() },
  ).flat();
}

/** Subjects that most readers follow, whatever the company or product. */
const subjects =
  /\b(?:agents?|agentic|(?:mobile|llm|ai)-?agents?|multi-agent|llms?|large language models?|coding|reasoning|chatbots?|open[- ]source|open[- ]weights?|frontier|reinforcement learning|context|memory|rag|inference|gpus?|cuda|data cent(?:er|re)s?|robots?|skills?|mcp|copilot|vibe coding)\b|智能体|大模型|推理|编程|开源|算力|芯片|机器人|数据中心|上下文/giu;

export interface Reach {
  /** 0 to 1. */
  readonly value: number;
  /** The name with the widest reach, as a reason spells it; null if none is known. */
  readonly name: string | null;
}

/** The widest reach of the companies and products named, plus the bonus of the subject. */
export function reachOf(title: string): Reach {
  // Of two names with equal reach, the first in the title is its subject.
  const best = namesIn(title).reduce<Named | null>(
    (widest, one) => (widest === null || one.reach > widest.reach ? one : widest),
    null,
  );
  const topics = new Set((title.match(subjects) ?? []).map((topic) => topic.toLowerCase()));
  const value = Math.min(1, (best?.reach ?? 0) * 0.6 + Math.min(2, topics.size) * 0.25);
  return { value, name: best?.name ?? null };
}
