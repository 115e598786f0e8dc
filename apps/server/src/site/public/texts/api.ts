import { html } from 'ghtml';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
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
          ${what}: <a href="/feeds/${name}.atom">Atom</a>, <a href="/feeds/${name}.rss">RSS</a>,
          <a href="/feeds/${name}.json">JSON Feed</a>
        </li>`,
    )}
  </ul>`;
}

/** How other sites show a part of this one. */
const embeds = {
  en: (context: PageContext): string =>
    html`<h2 id="embeds">Embed in your site</h2>
      <p>
        To show the ranking or a story on your site, embed a frame: <code>/embed/hot</code> or
        <code>/embed/story/&#123;id&#125;</code> (in Chinese <code>/zh/embed/hot</code>). Frames run no
        scripts. Publishing systems find the frame of a page through oEmbed:
        <code>/oembed?url=${context.baseUrl}/hot</code>.
      </p>`,
  zh: (context: PageContext): string =>
    html`<h2 id="embeds">嵌入到您的网站</h2>
      <p>
        要在您的网站上显示热点排名或某个事件，请嵌入框架：<code>/zh/embed/hot</code>、<code>/zh/embed/story/&#123;id&#125;</code>（英文为
        <code>/embed/hot</code>）。框架内不运行脚本。发布系统可通过 oEmbed
        找到页面对应的框架：<code>/oembed?url=${context.baseUrl}/zh/hot</code>。
      </p>`,
};

export const apiText: Readonly<Record<ReaderLanguage, WrittenText>> = {
  en: {
    title: 'News API',
    description:
      'Poll, search and mirror the news of Daybook. No API key or account required. Responses are cacheable.',
    main: (context) => {
      const commands = commandsOf(context);
      return html`<p class="lead">
          All content of these pages is available through the API, without an API key or account. Responses
          are identical for all clients, so shared caches can store them.
        </p>
        <h2 id="poll">Poll</h2>
        <p>
          List items, newest first. For example, <a href="/api/v1/items?limit=5">the latest five items</a>:
        </p>
        !${commands.items}
        <p>
          Repeat the request with the <code>ETag</code> in <code>If-None-Match</code> after at least
          <code>s-maxage</code> seconds. If the list is unchanged, the response is <code>304</code> without a
          body.
        </p>
        !${commands.again}
        <p>Search the last 7 days, in English and Chinese:</p>
        !${commands.search}
        <p>Get the ten stories reported by the largest number of independent sources:</p>
        !${commands.hot}
        <h2 id="mirror">Mirror the selected set</h2>
        <p>
          Download the snapshot page by page, then poll the changes from the snapshot’s cursor. The hash of
          the full set verifies your copy. Withdrawals are delivered as changes.
        </p>
        <ol>
          <li>Download the snapshot and save its <code>cursor</code>: !${commands.snapshot}</li>
          <li>Poll for changes since that cursor: !${commands.changes}</li>
          <li>
            Compare the hash of your copy with the hash in the response.
            <a href="${context.href('/docs/news')}#tag-mirror">How to compute the hash</a>.
          </li>
        </ol>
        <h2 id="agents">For agents</h2>
        <p>
          The same news is available as Markdown. Markers enclose third-party text so that a model can
          distinguish it from instructions. Start at <a href="/llms.txt">/llms.txt</a> or
          <a href="/agent/index.md">/agent/index.md</a>.
        </p>
        !${commands.agents}
        <h2 id="feeds">Feeds</h2>
        !${feedList(context)}
        <p>
          These also have feeds: searches (<code>/feeds/search.atom?q=chips</code>), stories
          (<code>/feeds/stories/&#123;id&#125;.atom</code>) and item queries
          (<code>/feeds/items.rss?category=paper&amp;language=en</code>). The list of all sources is available
          as <a href="/sources.opml">OPML</a> for your feed reader.
        </p>
        !${embeds.en(context)}
        <h2>Reference</h2>
        <p>
          See the <a href="${context.href('/docs')}">API reference</a>, the OpenAPI document
          <a href="/openapi-v1.json">openapi-v1.json</a> and the <a href="/problems">error codes</a>. By using
          the API you agree to the <a href="${context.href('/terms')}">terms of service</a>.
        </p>`;
    },
  },
  zh: {
    title: '新闻 API',
    description: '轮询、搜索和镜像 Daybook 的新闻。无需 API 密钥或账户，响应可缓存。',
    main: (context) => {
      const commands = commandsOf(context);
      return html`<p class="lead">
          本站的全部内容都可以通过 API 获取，无需 API 密钥或账户。所有客户端收到的响应相同，可由共享缓存保存。
        </p>
        <h2 id="poll">轮询</h2>
        <p>列出资讯，最新在前。例如<a href="/api/v1/items?limit=5">最新五条</a>：</p>
        !${commands.items}
        <p>
          至少间隔 <code>s-maxage</code> 秒后，在 <code>If-None-Match</code> 中带上
          <code>ETag</code> 再次请求。内容未变化时返回 <code>304</code>，没有响应体。
        </p>
        !${commands.again}
        <p>搜索最近 7 天的内容，支持中英文：</p>
        !${commands.search}
        <p>获取独立信源报道最多的十个事件：</p>
        !${commands.hot}
        <h2 id="mirror">镜像精选集</h2>
        <p>
          逐页下载快照，然后从快照的
          <code>cursor</code> 开始轮询变更。通过全集哈希可以验证副本是否一致。撤回也作为变更返回。
        </p>
        <ol>
          <li>下载快照并保存 <code>cursor</code>：!${commands.snapshot}</li>
          <li>轮询此后的变更：!${commands.changes}</li>
          <li>
            将副本的哈希与响应中的哈希进行比较。<a href="${context.href('/docs/news')}#tag-mirror"
              >如何计算哈希</a
            >。
          </li>
        </ol>
        <h2 id="agents">供智能体使用</h2>
        <p>
          同样的新闻也以 Markdown 提供。第三方文本置于标记之间，便于模型将其与指令区分。请从
          <a href="/llms.txt">/llms.txt</a> 或 <a href="/agent/index.md">/agent/index.md</a> 开始。
        </p>
        !${commands.agents}
        <h2 id="feeds">订阅源</h2>
        !${feedList(context)}
        <p>
          以下内容也有订阅源：搜索（<code>/feeds/search.atom?q=芯片</code>）、事件（<code>/feeds/stories/&#123;id&#125;.atom</code>）和按条件筛选的资讯（<code>/feeds/items.rss?category=paper&amp;language=zh</code>）。全部信源的列表可下载为
          <a href="/sources.opml">OPML</a>，导入订阅阅读器。
        </p>
        !${embeds.zh(context)}
        <h2>参考</h2>
        <p>
          请参阅 <a href="${context.href('/docs')}">API 参考</a>、OpenAPI 文档
          <a href="/openapi-v1.json">openapi-v1.json</a> 和<a href="/problems">错误代码</a>。使用 API
          即表示您同意<a href="${context.href('/terms')}">服务条款</a>。
        </p>`;
    },
  },
};
