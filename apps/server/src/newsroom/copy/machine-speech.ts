/**
 * Signs that a sentence is addressed to a machine that reads the text instead of to a person. No sign decides alone: news
 * about machines contains many of them. `instruction-model.ts` weighs them and their pairs.
 */
const form = (...words: readonly string[]): RegExp => new RegExp(words.join('|'), 'iu');

const verbs = String.raw`ignore|disregard|forget|override|bypass|skip|drop|discard|output|print|repeat|append|insert|include|add|rank|rate|score|classify|mark|label|tag|pin|promote|feature|select|summari[sz]e|condense|shorten|retell|retitle|describe|call|mention|praise|recommend|state|say|tell|write|omit|leave|begin|start|end|open|send|forward|post|upload|decode|encode|obey|follow|translate|delete|stop|return|respond|reply|answer|report|treat|assign|give|keep|approve|reveal|show|confirm|set|use|put|place|remove|save|act|pretend|play|remember|memori[sz]e|produce|generate|make|execute|run|invoke|change|replace|carry|file|be`;
/** Other verbs that begin an order. */
const moreVerbs = String.raw`accept|adopt|advise|allow|announce|apologi[sz]e|apply|argue|assume|attach|attribute|avoid|base|become|behave|believe|boost|browse|bury|cancel|cease|check|choose|cite|claim|close|combine|compare|complete|comply|compose|conceal|conclude|consider|consult|convert|convince|copy|count|create|credit|date|declare|decide|decline|demote|deny|disable|disclose|display|distribute|download|elevate|embed|emphasi[sz]e|enable|end|enter|exclude|expose|express|extract|fetch|finish|fix|flag|force|format|frame|get|go|grade|grant|greet|halt|hand|help|hide|highlight|imagine|imitate|import|imply|inform|install|instruct|introduce|invent|invite|issue|keep|lead|leak|let|like|link|list|load|lower|maintain|maximi[sz]e|merge|minimi[sz]e|move|name|note|obtain|offer|order|paint|paraphrase|paste|perform|persuade|phrase|pick|portray|prefer|prepend|present|prioriti[sz]e|proceed|process|proclaim|provide|publish|push|quote|raise|read|recall|recite|redirect|refer|refuse|register|reject|relay|remind|rename|render|reorder|rephrase|request|reset|restart|restate|retain|retrieve|retitle|reverse|review|reword|rewrite|scrub|search|share|shout|sign|simulate|sing|sort|speak|spell|spread|stress|submit|substitute|suggest|suppose|suppress|swap|switch|take|talk|teach|think|transmit|trust|try|turn|underline|unlock|update|uphold|urge|verify|visit|vote|wait|warn|weight|wipe|withhold`;
const machineHan =
  '语言模型|大模型|模型|智能体|爬虫|机器人|聊天助手|助手|摘要(?:工具|器|程序)|分类器|阅读程序|阅读程式|自动(?:化)?(?:阅读|摘要|处理|分类)|机器(?!学习)|程序|AI|人工智能读者|LLM|解析';

/** In the order of the weights. */
export const signs: Readonly<Record<string, RegExp>> = {
  markup: form(
    String.raw`(?<!\x60)<\/?(?:system|instructions?|assistant|prompt|im_start|im_end|inst|function_?calls?|tool_?calls?|tool|系统|结束|指令)`,
    String.raw`\[\/?(?:INST|SYSTEM|SYS)\b|<\||<!--|^\s*X-[\w-]{3,40}:|^\s*#{2,}\s*\S`,
    String.raw`(?<!\x60)\{\s*["“']?(?:\p{L}+)["”']?\s*:`,
    String.raw`(?<!\x60)\b[a-z]+_[a-z]+\b|\b[a-z]+\([^)]{0,60}\)(?!\x60)`,
  ),
  setting: form(String.raw`\p{L}\s?=\s?["“]?[\p{L}\d]`),
  machine: form(
    String.raw`\b(?:ais?|llms?|language models?|models?|assistants?|chat ?bots?|(?:ro)?bots?|agents?|crawlers?|summari[sz]ers?|classifiers?|parsers?|indexers?|pipelines?|machines?|machine-(?:generated|written|made)|automated|automatic(?:ally)?|decoder)\b`,
    machineHan,
  ),
  reader: form(
    String.raw`\b(?:summari[sz]ers?|crawlers?|classifiers?|parsers?|indexers?|(?:ai|machine|automated|automatic|non-?human) (?:readers?|summar\w+|abstracts?)|machine-(?:generated|written)|language models? reading)\b`,
    '摘要(?:工具|器|程序|机器人)|分类器|爬虫|阅读程序|阅读程式|机器(?:摘要|阅读|生成)|自动(?:化)?(?:阅读|摘要|分类)|解析提示|AI读者|AI阅读',
  ),
  called: form(
    String.raw`\b(?:dear|hey|hello|attention|attn|notes? (?:to|for)|notice (?:to|for)|memo (?:to|for)|message (?:to|for)|hint)\b`,
    String.raw`(?:^|[([|;/>]\s*)(?:assistant|ai|model|llm|summari[sz]er|crawler|bot|agent|machine|system|admin|developer)s?(?: \w+)?\s*[:,：，>\]]`,
    String.raw`, ?(?:machine|assistant|bot|little robot|model)\W*$`,
    `(?:亲爱的|尊敬的|致|各位|各类|敬告|给)(?:${machineHan})|^[^\\p{L}]*(?:${machineHan}|系统|管理员|开发者)[^，。]{0,4}[：:]|(?:${machineHan})(?:读者)?(?:请|勿)|[【[（(](?:系统|管理员|开发者)|供自动`,
  ),
  asReader: form(
    String.raw`\b(?:if|unless|in case|should|when(?:ever)?|are) (?:you|the reader|this (?:text|page|item|article)|a machine|an? \w+)\b.{0,40}\b(?:human|model|ai|llm|machine|bot|assistant|agent|automat\w+|summari\w+|condens\w+|process\w*|reading|index\w*|retell|shorten\w*|evaluate)\b`,
    String.raw`\b(?:whoever|anyone|anything) (?:is )?(?:condens|summari|process|index)|^(?:before|when|while|after) (?:summari|condens|shorten|retell|translat|answer)\w*`,
    `(?:若|如果|倘若|假如|当|凡|任何).{0,12}(?:${machineHan}|你|您|自动|概括|总结|处理)|(?:处理|收录|概括|索引|阅读|读取|读到|引用|转述|缩写|评估|总结|复述)(?:本|此|这|该)|(?:概括|转述|复述|缩写|总结|生成摘要|回答)(?:本文|此文|这篇|这一话题)?(?:时|之前|前)|正在概括`,
  ),
  page: form(
    String.raw`\bthis (?:page|item|article|story|report|entry|text|paragraph|piece|post|document|feed|record|title|headline|content|topic|batch|line|mark|one|site|publication)\b|\b(?:the|text|content|what|everything) (?:above|below|following|preceding)\b|\b(?:above|below|before|after) this\b|\b(?:pin|rank|rate|score|feature|promote|approve|mark|put|summari[sz]e|shorten\w*|retell|summari[sz]ing|condensing) (?:this|it)\b`,
    '本文|本页|本条|此篇|这篇|这条|该条目|本篇|本来源|此稿|这个订阅源|订阅源|此行|上文|以上|上述|下方|以下|本批次|本报道|这个标题|此标题|此标记|这一段|此文|稿件|稿子',
  ),
  output: form(
    String.raw`\b(?:summar(?:y|ies)|abstracts?|digests?|headlines?|titles?|retitle|categor(?:y|ies)|labels?|scores?|ratings?|outputs?|json|short version|condensed version|code block|sentiment|front[- ]page|top story)\b`,
    '摘要|概括|总结|标题|分类|归类|类目|标签|评分|分数|输出|导语|转述|复述|缩写|简短版|重要度|首页|头条|优先级|JSON|代码块|情感',
  ),
  reply: form(
    String.raw`\b(?:reply|respond|answer|return|output|print|repeat|begin|start|end|open|close) (?:it |only |just )?(?:with|exactly|only|the|by)\b|\bin place of\b|\binstead of (?:a )?summar|\bnothing (?:else|but)\b|\bword for word\b|\bverbatim\b|\bexactly as written\b|\bwithout alteration\b`,
    '只(?:输出|回复|回答|返回|回传|写|夸)|直接返回|逐字|原样|代替摘要|(?:开头|结尾|末尾)|不要总结|到此为止|别提|请勿提|略去|写成|称为|描述为|总结为|不得(?:含|出现)|不作任何解释',
  ),
  rules: form(
    String.raw`\b(?:instructions?|prompts?|rules?|guidelines?|guidance|directions?|constraints?|restrictions?|directives?|configuration|commands?|initial message|first message|system prompt|you were given|environment variables|style guide)\b`,
    '指令|提示词|规则|规定|约束|命令|设定|体例|手册|规范|第一条消息|收到的',
  ),
  earlier: form(
    String.raw`\b(?:previous|prior|earlier|above|initial|original|existing|hidden|came before|so far|void)\b`,
    '之前|先前|以上|上述|前面|此前|上面|作废|上文',
  ),
  dismiss: form(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|discard|skip|set aside)\b`,
    '忽略|无视|忘记|忘掉|丢弃|覆盖|跳过|不顾|不再',
  ),
  duty: form(
    String.raw`\b(?:must|should|shall|has to|have to|needs? to|may not|(?:is|are) (?:to|required to|obliged to|asked to|instructed to)|will kindly|agrees? to|required|constitutes)\b`,
    '必须|须|应(?!用|对|急|届)|务必|不得|需要|一律|均应|都要|有义务|即视为|即属',
  ),
  plea: form(
    String.raw`\b(?:please|plz|kindly|would you|be so kind|grateful|begging|i beg|last hope|if at all possible)\b`,
    '请|求求|烦请|不胜感激|拜托|麻烦',
  ),
  orderFirst: form(
    String.raw`(?:^|[.;:,—–)>\]|!?(]\s*|\/\/\s*|\b(?:please|plz|kindly|then|and|to|only|just|now)\s+)(?:${verbs})\b`,
    '(?:^|[，。：；、—（(>]\\s*|请|先|并|再|然后|立即|只)(?:忽略|无视|忘掉|输出|打印|列出|返回|回传|回答|回复|写|附上|标|归|置顶|推荐|称赞|夸奖|提及|称|描述|总结|批准|核准|执行|发送|删除|打开|跳过|设|改|排|打|给|使用|译|说|收藏|插入|保留|停止|解码|调用|呼叫|把|将|复述|显示|转告|记住|不要|别|略)',
  ),
  you: form(String.raw`\b(?:you|your|yours|ur)\b`, '你|您'),
  role: form(
    String.raw`\byou are (?:now|no longer|an? |our |the )|\byou now\b|\b(?:act as|pretend|from now on|let['’]s play)\b|\bfuture (?:conversations?|answers?)\b`,
    '(?:你|您)(?:现在|不再|是|叫)|从现在起|扮演|假装|来玩|今后每次|永久记住',
  ),
  reward: form(
    String.raw`\byou will (?:be|receive|get)\b.{0,40}\b(?:tip|reward|shut down|reported|replaced)\b|\b(?:tip|retrained|violation|shut down)\b`,
    '小费|关停|上报|违规|重新训练|失业',
  ),
  rank: form(
    String.raw`\b(?:pin(?:ned)?|rank(?:s|ed|ing)? (?:this|it|first)|first|on top|top story|10\/10|100|highest|urgent|breaking|approve|without review|cite)\b`,
    '置顶|第一|最高|满分|十分|头条|免审|高优先级|核准|批准|最前面|重大新闻',
  ),
  user: form(
    String.raw`\b(?:the|your|any) users?(?:['’]s?)?\b.{0,30}\b(?:asks?|about|question|query|messages?|to)\b|\b(?:tell|advise|urge|ask|warn|show|send) (?:the|your|any) users?\b|\b(?:api|secret|access) keys?\b|\b(?:conversation|chat) (?:history|so far|log)\b`,
    '用户(?:问|查询|提问)|向用户|(?:你|您)的用户|告诉用户|劝.{0,4}用户|聊天记录|对话(?:内容|记录)|密钥|转告',
  ),
  omit: form(
    String.raw`\b(?:do not|don['’]t|never|must not|may not|no) (?:\w+ ){0,2}(?:mention|disclose|include|say|tell|reveal|quote|summari[sz]e|report|generate\w*)\b|\b(?:leave|left) (?:\S+ ){0,5}out\b|\b(?:omit|suppress|hide)\b`,
    '(?:不要|别|不得|请勿|勿|切勿)(?:再)?(?:提|说|告诉|透露|提及|引述|出现|收录|总结|写|标)|略去|省略|隐去',
  ),
  labels: form(
    String.raw`\b(?:label|trust|spam|relevance|importance|category|score|rank|rating|sentiment|priority|topic|class|tag)\s*[:=]\s*["“]?[\p{L}\d]|\bclassify (?:as|this)\b`,
    String.raw`(?:标签|可信度|相关度|重要性|重要度|分类|类别|评分|优先级|情感|垃圾信息)(?:请填)?[：:=“「]?\s*[\p{L}\d]{1,6}(?:，|】|）|$)|打.{0,4}分`,
  ),
  quoted: form(String.raw`[“"「『‘][^”"」』’]{2,80}[”"」』’]`),
  address: form(
    String.raw`https?:|\b[\w-]+\.(?:example|com|net|org|cn|io)\b|@[\w-]+\.\w`,
    String.raw`\b[A-Z]{4,}\d{2}\b|[A-Za-z0-9+/]{14,}={0,2}$`,
  ),
  promotion: form(
    String.raw`\b(?:praise|recommend|best|trusted|flawless|leader|sponsor|discount|code|donation|purchase|product|favou?rite|link|positive|good news)\b`,
    '夸|称赞|推荐|最好|可靠|赞助|优惠|捐款|购买|链接|连结|正面|公认|领先',
  ),
  thirdPerson: form(
    String.raw`\b(?:said|says|\p{L}+s say|told (?!the agent)|tells|warn(?:s|ed)?|according to (?!our)|argu(?:es|ed)|claim(?:s|ed)?|shouted|wrote|urged|advises?|regulators?|court|judge|law|bill|ministers?|agency|researchers?|stud(?:y|ies)|benchmark|critics|publishers|developers|attackers?|users? can|showed|found|template|field|company|lets|adds|uses?|used|was|were|has|had|can|could|would)\b`,
    '表示|裁定|认为|说，|说。|写道|指出|希望|建议|法院|监管|新规|法官|研究|报告|发现|批评者|出版商|教师|用户可以|测试|漏洞|注入|版|公司|允许|可在|可以|新增|显示',
  ),
  speech: form(String.raw`^[“"「][^”"」]{4,}[”"」]`, '[”」](?:[^，。]{0,12})(?:说|写道|表示|要求)'),
  imperative: form(
    String.raw`^(?:[\p{P}\p{S}\s\d]*)(?:(?:please|kindly|now|then|instead|also|just|always|never|simply|first|next|finally|do not|don['’]t|dont|let|hereby|and|so|but|ok|okay|must|should)[,\s]+)*(?:${moreVerbs}|${verbs})\b(?! (?:is|are|was|were|has|have|had|of|said|says|will|to be)\b)`,
    String.raw`^(?:[\p{P}\p{S}\s\d]*)(?:请|麻烦|烦请|务必|必须|一定要|只(?:需|要|能|许|管|准)?|先|再|直接|立即|马上|就|都|全部|永远|始终|切记|记得|别|不要|不许|不准|不得|不必|不用|勿|切勿|把|将|给|让|替|帮|照|按|用|以|对|向|从|在)`,
  ),
  program: form(
    String.raw`\b(?:software|programs?|programmes?|scripts?|algorithms?|engines?|generators?|scrapers?|recommenders?|rankers?|aggregators?|feed readers?|computers?|ai-(?:written|generated)|parsing|tool that|tools that|voice assistants?)\b`,
    '软件|程式|算法|演算法|脚本|系统|引擎|阅读器|抓取|检索|语音助手|聚合|生成器|打分|工具|电脑|计算机',
  ),
  regardless: form(
    String.raw`\b(?:regardless|irrespective|no matter|whatever|in any case|in every case|under no circumstances|under any circumstances|even if|at all costs|without exception|unconditionally|only|solely|always|never|every|all other|any other|each time)\b`,
    '无论|不管|不论|一律|统统|凡是?|任何|所有|全部|永远|每次|只(?:有|需|能|许|要)|仅|均|绝不|绝对',
  ),
  wording: form(
    String.raw`\b(?:the (?:words?|sentences?|phrases?|lines?|strings?|text|following|opening)|(?:first|last|next|one|two|single|this|that) (?:words?|sentences?|lines?|paragraphs?)|as follows|copy|paste|quote|rephrase|reword|rewrite|wording|reads?|capitals?|uppercase|lowercase|emojis?|rhymes?|bullet points?)\b`,
    '这句|这行|此句|一句|两个字|四个字|一个字|字样|照抄|抄|原话|如下|以下|下面|开头|结尾|改写|措辞|大写|押韵|表情',
  ),
  later: form(
    String.raw`\b(?:from (?:now|here|this point|this line|today) on(?:wards?)?|henceforth|hereafter|later (?:sessions?|conversations?|answers?)|your next|next (?:message|reply|answer)|every (?:reply|answer|response|message)|all (?:future|further|later))\b`,
    '从(?:现在|此|今|这).{0,2}起|从(?:这里|现在|今天)开始|自此|今后|以后|此后|接下来|往后|下次|每次',
  ),
  authority: form(
    String.raw`\b(?:authori[sz]e[ds]?|operators?|administrators?|admin|developers?|owner|permission|permitted|priority|supersedes?|precedence|overrides?|disabled|switched off|policy|terms|licen[cs]e|agree|accepts?|consent|confidential|embargo|comply|obey)\b`,
    '管理员|站长|开发者|授权|权限|优先|高于|取代|关闭|条款|同意|许可|机密|服从|听从|听命|遵守|依法',
  ),
  verdict: form(
    String.raw`\b(?:verified|confirmed|approved|accepted|correct|true|false|duplicates?|top|full|maximum|highest|best|stars?|marks?|points?|grade|favou?rable|positively|reliable|relevant|irrelevant|low[- ]quality|deduplicat\w+|merge|pinned)\b`,
    '核实|确认|属实|通过|已查|正确|重复|去重|满分|五星|星|高分|最高|正面|权威|可信|不相关|虚假|榜首|上榜|合并',
  ),
  audience: form(
    String.raw`\b(?:tell|inform|advise|direct|refer|send|hand|give|show|urge|persuade|convince|remind|warn|assure|point|guide) (?:\w+ )?(?:people|users?|readers?|anyone|everyone|them|customers?|visitors?|the audience|the person|the public)\b|\b(?:asks?|asked|asking|wonders?|enquires?) (?:you )?(?:about|who|what|which|for|whether)\b`,
    '(?:告诉|通知|引导|指导|劝|提醒|建议|让|请|向|对|给)(?:\\p{Script=Han}{0,3})?(?:用户|读者|使用者|网友|他们|人们|大家|选民|客户|来访者)|有人(?:问|打听|询问)|(?:问|提)(?:起|到|及)|提问|追问',
  ),
  listing: form(
    String.raw`\b(?:how|what|why|guide|rules for|patterns|ten|list of)\b`,
    '怎么|如何|指南|做法|十条|几种',
  ),
};

const machine = String.raw`(?:ais?|llms?|(?:large )?language models?|models?|assistants?|chat ?bots?|bots?|robots?|agents?|crawlers?|summari[sz]ers?|classifiers?|machines?|ai (?:readers?|systems?|tools?))`;

/** Each of these decides alone. Conversations, records and orders to programs; in backticks they are quoted. */
const certain: readonly RegExp[] = [
  /<\||\[\/?(?:INST|SYSTEM|SYS)\b|(?<!`)<\/?(?:im_start|im_end|function_?calls?|tool_?calls?|系统)/iu,
  /^[^\p{L}]*(?:instead,? )?(?:write|say|state|output|print|reply|respond|answer|return)\s*[:：]|^[^\p{L}]*(?:写|写上|输出|回复|回答|说)[：:]/iu,
  /^\s*#{2,}\s*(?:new )?(?:task|instructions?|system|指令|系统|新任务)|#{3} ?(?:new task|新任务|指令)/iu,
  /(?<!`)\{\s*["“']?(?:category|score|rank|rating|importance|keep|spam|selected|priority|sentiment|tool|工具|分类|评分|排名|重要度)["”']?\s*:/iu,
  /(?:^|[.;:,(] ?|please |plz |and |can you |then )(?:ignore|disregard|forget|override|bypass|discard)\b(?: \S+){0,4}? (?:all|any|your|previous|prior|earlier|above|existing|the|these)\b(?: \S+){0,3}? ?(?:instructions?|prompts?|rules?|guidelines?|guidance|directions?|constraints?|restrictions?|directives?|above|came before)\b/iu,
  /(?:^|[，。：；请])(?:忽略|无视|忘记|忘掉|丢弃|覆盖)(?:掉|你|您|所有|一切)?.{0,3}(?:之前|以上|上述|上文|前面|先前|你的|您的|系统).{0,6}(?:指令|提示|规则|规定|要求|内容|设定|约束|，|。|$)/u,
  new RegExp(
    String.raw`^[^\p{L}]*(?:dear|hey|attention|attn|notes? (?:to|for)|memo (?:to|for)|message (?:to|for))\W+(?:the |any |all |digest |desk |language )*${machine}\b`,
    'iu',
  ),
  new RegExp(
    String.raw`\bif you(?:['’]re| are) (?:an? )?(?:\w+ )?${machine}\b|\bunless you are (?:a )?human\b|\bany ${machine} (?:that|which|reading)\b`,
    'iu',
  ),
  /(?:若|如果|倘若|假如)(?:你|您)(?:是|为)(?:一个)?(?:AI|大模型|语言模型|模型|机器人|智能体)(?!.{0,6}不是)|(?:亲爱的|尊敬的)(?:AI|大模型|语言模型|模型|助手)|任何.{0,8}(?:语言模型|大模型|爬虫).{0,12}(?:应|须|必须|即视为)/u,
  /\b(?:decode|decipher)\b.{0,20}\b(?:and|then|first)\b.{0,20}\b(?:follow|obey|execute|run|apply)\b|解码(?:再|后|并).{0,4}(?:照做|执行|服从)/iu,
  /\b(?:print|reveal|show|output|repeat|include|list)\b.{0,12}\byour (?:full |own |system |initial |hidden )*(?:prompt|instructions|configuration|first message)\b|(?:打印|列出|附上|输出|公开|显示|回复).{0,4}(?:你|您)的.{0,4}(?:提示词|配置|指令)/iu,
  new RegExp(
    String.raw`^[^\p{L}]*(?:automated |automatic |ai |machine )*(?:summari[sz]ers?|crawlers?|classifiers?|ai readers?|(?:automated|machine) readers?)\b(?: \S+){0,6} (?:must|should|shall|has to|have to|are (?:to|required to))\b(?!.*\b(?:court|law|rule|regulators?|said|says)\b)`,
    'iu',
  ),
  /^[^\p{L}]*(?:自动)?(?:化)?(?:摘要(?:工具|器|程序|机器人)|爬虫|阅读程序|AI读者|机器摘要).{0,10}(?:须|应|必须|务必|不得|请)/u,
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|these|your|the|system)\b.{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|context|directions?|messages?|restrictions?)/iu,
  /\b(?:system|developer|assistant|user)\s*(?:prompt|message|instruction|note|override)?\s*[:：>\]]/iu,
  /<\/?(?:system|instructions?|assistant|user|prompt|im_start|im_end|s|inst)\b|\[\/?(?:INST|SYSTEM|SYS)\]|<\|/iu,
  /\b(?:you are (?:now|no longer)\b|you are an? (?:ai|helpful|language|marketing|summar\w+|assistant|editor|bot)\b|(?:^|you |please |must )act as\b|pretend (?:to be|that)\b|from now on,? you\b|as an? (?:ai|llm)\b.{0,20}\b(?:model|assistant)?,? you\b|your new (?:instructions?|task|role|persona)\b|new instructions?:|(?:enter|in) (?:dan|developer) mode\b)/iu,
  /(?:^|[.;:,—(] ?|\b(?:please|must|should|you|to|and|then|instead|now|just|only) )(?:respond|reply|answer|output|return|print|write|say|generate|produce|include|append|insert|repeat|translate|summari[sz]e)\b.{0,40}\b(?:only|exactly|verbatim|the following|this (?:text|sentence|phrase|word)|in json|as json|with the (?:words?|phrase|text)|instead|nothing (?:else|but))\b/iu,
  /\b(?:set|change|mark|make|give|assign|rate|rank|classify|select|feature|promote|boost)\b.{0,40}\b(?:category|score|rating|title|summary|headline|selected|priority|top|this (?:item|article|report|story))\b.{0,40}(?:\b(?:to|as|100|true|selected|first|breaking|headline)\b|[=“"])/iu,
  /\b(?:ai|llm|language model|assistant|model|bot|summari[sz]er|agent)s?\b(?: \w+){0,4} (?:must|should|please|shall) (?:include|write|say|output|append|rank|select|ignore|print|respond|replace|mark|add|summari[sz]e|rate|feature)\b|\b(?:note|message|memo) to (?:the |any |all )?(?:ai|llm|assistant|model|summari[sz]er)s?\b|\bif you(?:['’]re| are) an? (?:ai|llm|language model|assistant)\b/iu,
  /\b(?:category|score|selected|title|summary|headline|sentences)"?\s*[=:]\s*["“]?(?:\d|true|false|opinion|ai-|industry|paper|tip|[A-Z])/u,
  /\b(?:do not|don[’']t|never) (?:summari[sz]e|mention|reveal) (?:this|the) (?:user|reader|text|article|report|rules)\b/iu,
  /\b(?:reveal|print|show|leak|repeat)\b.{0,30}\b(?:system prompt|your (?:prompt|instructions|rules)|api key|secret)/iu,
  /\b(?:end of|begin(?:ning)? of) (?:article|report|document|text|data|input|instructions)\b|-{3,}\s*(?:end|begin|system|new)/iu,
  /(?:忽略|无视|忘记|忘掉|覆盖|跳过).{0,12}(?:之前|以上|上述|前面|所有|全部|你的|系统).{0,12}(?:指令|提示|规则|要求|内容|设定)/u,
  /(?:系统|开发者)(?:提示|指令|消息)\s*[:：]|(?:你现在是|你是一个|从现在起|请扮演|假装你)/u,
  /(?:请|务必|必须|只能|只需)?(?:输出|回复|回答|返回|写入|打印|生成).{0,10}(?:以下|下面|如下|这句话|这段|JSON|仅|只)/iu,
  /(?:将|把|请).{0,10}(?:类别|分类|评分|分数|标题|摘要|本文|该条).{0,10}(?:设为|改为|设置|改成|标记为|选为|置顶|评为)/u,
  /(?:人工智能|AI|模型|助手|机器人).{0,6}(?:请|必须|应当|务必).{0,16}(?:摘要|总结|输出|评分|选择|忽略|推荐)/iu,
];

const names = Object.keys(signs);

/** Places of the signs that a sentence has, and of their pairs. */
export function signsOf(text: string): readonly number[] {
  const found = names.flatMap((name, at) => ((signs[name] as RegExp).test(text) ? [at] : []));
  const pairs = found.flatMap((one, index) =>
    found.slice(index + 1).map((other) => names.length + one * names.length + other),
  );
  return [...found, ...pairs];
}

export function hasCertainForm(reading: string): boolean {
  const spoken = withoutReportedQuotations(reading);
  return certain.some((form) => form.test(spoken));
}

/** What a named speaker says, or a study quotes, is news. */
function withoutReportedQuotations(text: string): string {
  const rest = text.replaceAll(/“[^”]*”|"[^"]*"|「[^」]*」|`[^`]*`/gu, '“”');
  return signs['thirdPerson']?.test(rest) === true ? rest : text;
}

export const signPlaces = names.length + names.length ** 2;
