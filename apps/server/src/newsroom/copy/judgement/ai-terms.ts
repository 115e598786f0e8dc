/** Terms of the field; features of a model, no title is decided by them alone. */
export const aiConcepts =
  /\b(?:a\.?i|artificial intelligence|(?:machine|deep|reinforcement|federated|contrastive|self-supervised|continual) learning|ml|llms?|v?lms|mllms?|slms?|(?:language|foundation|diffusion|world|reasoning|frontier|embedding|vision) models?|chatbots?|genai|generative|agentic|(?:ai|coding|multi)[- ]agents?|agents?|neural|transformers?|gpus?|tpus?|robotaxis?|humanoids?|self-driving|driverless|autonomous (?:vehicles?|driving|trucks?)|deepfakes?|vibe[- ]?cod\w+|prompt(?:s|ing)?|fine-tun\w+|inference|tokens?|embeddings?|rag|mcp|open[- ]weights?|superintelligence|agi|copilot|computer vision|text-to-(?:image|video|speech)|data cent(?:er|re)s?|robotics?|gpt|lora|moe|xpu|npu|cuda|parameters|semiconductors?|chips?|chipmakers?)\b|人工智能|大模型|模型|智能体|机器学习|深度学习|神经网络|算力|具身|人形机器人|机器人|自动驾驶|无人驾驶|无人车|多模态|生成式|推理|智驾|词元|提示词|微调|开源|芯片|半导体|集成电路|智能/giu;

const companies = [
  'OpenAI|Anthropic|DeepMind|xAI|SpaceXAI|DeepSeek|Mistral|Perplexity|Moonshot AI|Zhipu|Z\\.ai|MiniMax|OpenRouter|LangChain|Ollama|vLLM|PyTorch|Hugging Face|Cohere|Stability AI|Midjourney|ElevenLabs|Cerebras|Groq|CoreWeave|Scale AI|Waymo|StepFun|SenseTime|iFlytek|Suno|Replit|Windsurf|Manus|Sakana AI|Nous Research|Unitree|Cursor|Lovable|Cognition AI|Nebius|Character\\.AI|Inflection AI|Figure AI|Physical Intelligence|Thinking Machines|Safe Superintelligence|Wayve|Zoox|Nuro|Pony\\.ai|WeRide|Clearview AI|Nvidia|NVIDIA|Poolside|Harvey AI|World Labs|Black Forest Labs|Together AI|Fireworks AI|Tenstorrent|SambaNova|Graphcore|Cambricon|Moore Threads',
  '深度求索|月之暗面|智谱|商汤|科大讯飞|讯飞|宇树|阶跃星辰|百川智能|零一万物|旷视|寒武纪|摩尔线程|沐曦|壁仞|英伟达|文远知行|小马智行|云深处|地平线',
];
const products =
  'ChatGPT|GPT-?\\d[\\w.]*|Claude|Gemini|Copilot|Codex|Llama|Grok|Qwen|Kimi|GLM|Bedrock|AgentCore|SageMaker|NotebookLM|OpenClaw|DALL-E|Sora|Stable Diffusion|AlphaFold|AlphaGo|Alexa|Siri|Vertex AI|TensorFlow|Bard|LLaMA|Gemma|Phi-\\d|Nemotron|TensorRT|Stargate|豆包|Doubao|千问|通义|混元|文心|可灵|Kling|元宝|夸克';
const people =
  'Altman|Amodei|Hassabis|Sutskever|Murati|Brockman|LeCun|Hinton|Bengio|Karpathy|Jensen Huang|Suleyman|Fei-Fei Li|Andrew Ng|Nadella|黄仁勋|奥特曼|李飞飞|梁文锋|王兴兴|杨立昆';

const latinName = '(?<![\\p{Script=Latin}\\d]|[\\p{L}\\d][-.])';

/**
 * Companies, products and people of the field alone; those that are known for more (Google, Apple) are not among
 * them. Matched as names: "meta-learning" and "codexes" are none.
 */
export const aiNames = new RegExp(
  `${latinName}(?:${[...companies, products, people].join('|')})(?!\\p{Script=Latin})`,
  'u',
);

/** A host of a company of the field, or with the field's top-level domain. */
export function isAiHost(host: string): boolean {
  return /\.ai$|(?:^|\.)(?:ai|openai|anthropic|deepmind|claude|mistral|deepseek|huggingface|perplexity|cohere|nvidia|marktechpost|qwen|qwenlm|kimi|moonshot|cursor|elevenlabs)\./u.test(
    host,
  );
}
