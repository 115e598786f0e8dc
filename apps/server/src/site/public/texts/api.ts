import { html } from 'ghtml';

import { categories } from '../../../record/index.ts';
import type { PageContext } from '../page-context.ts';
import type { WrittenText } from './written-text.ts';
import { command } from './written-text.ts';

interface Commands {
  readonly items: string;
  readonly again: string;
  readonly search: string;
  readonly hot: string;
  readonly snapshot: string;
  readonly changes: string;
  readonly agents: string;
}

function commandsOf(context: PageContext): Commands {
  const { baseUrl } = context;
  const show = (id: string, text: string): string => command(id, text, context);
  return {
    items: show('c-items', `curl '${baseUrl}/api/v1/items?limit=5'`),
    again: show('c-again', `curl -i -H 'If-None-Match: W/"…"' '${baseUrl}/api/v1/items?limit=5'`),
    search: show('c-search', `curl -G '${baseUrl}/api/v1/items' --data-urlencode 'q=模型' -d mode=all`),
    hot: show('c-hot', `curl '${baseUrl}/api/v1/hot-topics'`),
    snapshot: show('c-snapshot', `curl '${baseUrl}/api/v1/selected/snapshot'`),
    changes: show('c-changes', `curl '${baseUrl}/api/v1/selected/changes?cursor=…'`),
    agents: show('c-agents', `curl '${baseUrl}/llms.txt'`),
  };
}

const feeds = ['selected', 'daily', 'weekly', 'monthly', 'corrections'] as const;

function feedList({ words }: PageContext): string {
  const label = {
    selected: words.timeline.selected,
    ...words.edition.the,
    corrections: words.correctionsPage.title,
  };
  const entries: readonly (readonly [name: string, label: string])[] = [
    ...feeds.map((name) => [name, label[name]] as const),
    ...categories.map(
      (category) => [`categories/${category}`, words.categories[category] ?? category] as const,
    ),
  ];
  return html`<ul>
    !${entries.map(
      ([name, what]) =>
        html`<li>
          ${what}: <a href="/feeds/${name}.atom">Atom</a>, <a href="/feeds/${name}.json">JSON Feed</a>
        </li>`,
    )}
  </ul>`;
}

export const apiText: Readonly<Record<'en' | 'zh', WrittenText>> = {
  en: {
    title: 'Use the news from a program',
    description:
      'Poll, mirror and search Daybook: no key, no account, cacheable answers, an exact copy if you want one.',
    main: (context) => {
      const commands = commandsOf(context);
      return html`<p class="lead">
          Everything on these pages is also an API. No key, no account; the same answer for everyone, so any
          cache may keep it.
        </p>
        <h2 id="poll">Poll</h2>
        <p>What is new, newest first. Live: <a href="/api/v1/items?limit=5">the last five items</a>.</p>
        !${commands.items}
        <p>
          Send the <code>ETag</code> back, no sooner than <code>s-maxage</code> seconds later. Mostly you get
          <code>304</code> and no body.
        </p>
        !${commands.again}
        <p>Search the last seven days, in English and Chinese:</p>
        !${commands.search}
        <p>The ten that most independent sources report:</p>
        !${commands.hot}
        <h2 id="mirror">Mirror the selected set, exactly</h2>
        <p>
          Read the snapshot page by page, then follow the changes from the cursor it names. A hash over the
          whole set tells you whether your copy is exact; withdrawals arrive as changes too.
        </p>
        <ol>
          <li>Take the snapshot and note its <code>cursor</code>: !${commands.snapshot}</li>
          <li>Ask for what changed since, again and again: !${commands.changes}</li>
          <li>
            Compare the hash you compute with the one in the answer.
            <a href="${context.href('/docs/news')}#tag-mirror">How to compute it</a>.
          </li>
        </ol>
        <h2 id="agents">For agents</h2>
        <p>
          The same news in Markdown, with third-party text between marks, so that a model can tell it from
          instructions. Begin at <a href="/llms.txt">/llms.txt</a> or
          <a href="/agent/index.md">/agent/index.md</a>.
        </p>
        !${commands.agents}
        <h2 id="feeds">Feeds</h2>
        !${feedList(context)}
        <p>
          Any search is a feed, <code>/feeds/search.atom?q=chips</code>, and so is any story,
          <code>/feeds/stories/&#123;id&#125;.atom</code>. What we read, for your feed reader:
          <a href="/sources.opml">OPML</a>.
        </p>
        <h2>The whole of it</h2>
        <p>
          <a href="${context.href('/docs')}">The reference</a> describes every address,
          <a href="/openapi-v1.json">openapi-v1.json</a> the same for programs,
          <a href="/problems">error codes</a> what can go wrong. By using it you agree to
          <a href="${context.href('/terms')}">the terms</a>.
        </p>`;
    },
  },
  zh: {
    title: '用程序获取新闻',
    description: '轮询、镜像、搜索 Daybook：无需密钥和账户，答复可缓存，还可得到精确副本。',
    main: (context) => {
      const commands = commandsOf(context);
      return html`<p class="lead">
          本站的一切也都是 API。无需密钥，无需账户；对所有人给出相同的答复，任何缓存都可以保存。
        </p>
        <h2 id="poll">轮询</h2>
        <p>最新内容在前。实例：<a href="/api/v1/items?limit=5">最近五条</a>。</p>
        !${commands.items}
        <p>
          把 <code>ETag</code> 发回来，间隔不短于 <code>s-maxage</code> 秒。多数时候你会得到没有正文的
          <code>304</code>。
        </p>
        !${commands.again}
        <p>搜索最近七天，中英文皆可：</p>
        !${commands.search}
        <p>最多独立来源报道的十个事件：</p>
        !${commands.hot}
        <h2 id="mirror">精确镜像精选集</h2>
        <p>
          逐页读取快照，再从它给出的 cursor 跟随变更。覆盖全集的哈希会告诉你副本是否精确；撤回也作为变更到达。
        </p>
        <ol>
          <li>取快照，记下 <code>cursor</code>：!${commands.snapshot}</li>
          <li>反复询问此后的变更：!${commands.changes}</li>
          <li>
            将你算出的哈希与答复中的对比。<a href="${context.href('/docs/news')}#tag-mirror">如何计算</a>。
          </li>
        </ol>
        <h2 id="agents">供智能体使用</h2>
        <p>
          同样的新闻以 Markdown 给出，第三方文字置于标记之间，便于模型与指令区分。从
          <a href="/llms.txt">/llms.txt</a> 或 <a href="/agent/index.md">/agent/index.md</a> 开始。
        </p>
        !${commands.agents}
        <h2 id="feeds">订阅源</h2>
        !${feedList(context)}
        <p>
          任何搜索都是订阅源：<code>/feeds/search.atom?q=芯片</code>；任何事件也是：<code>/feeds/stories/&#123;id&#125;.atom</code>。我们阅读的信源，供阅读器使用：<a
            href="/sources.opml"
            >OPML</a
          >。
        </p>
        <h2>完整说明</h2>
        <p>
          <a href="${context.href('/docs')}">参考</a>描述每个地址，<a href="/openapi-v1.json"
            >openapi-v1.json</a
          >
          供程序使用，<a href="/problems">错误代码</a>说明可能出现的问题。使用即表示同意<a
            href="${context.href('/terms')}"
            >条款</a
          >。
        </p>`;
    },
  },
};
