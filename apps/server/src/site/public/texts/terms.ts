import { html } from 'ghtml';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { WrittenText } from './written-text.ts';

export const termsText: Readonly<Record<ReaderLanguage, WrittenText>> = {
  en: {
    title: 'Terms of service',
    description: 'Terms for using the news pages and the news API.',
    main: () =>
      html`<p>The news API is public. It requires no API key and no account.</p>
        <h2>Content</h2>
        <p>
          Titles, summaries, digests and reports are generated from third-party sources and may contain
          errors. Each item links to the original article, which is authoritative. The originals belong to
          their publishers.
        </p>
        <h2>Your obligations</h2>
        <ul>
          <li>Link to the original of every item you display.</li>
          <li>
            Poll no more often than <code>s-maxage</code> allows, send <code>If-None-Match</code>, and wait
            <code>Retry-After</code> seconds after a <code>429</code> or <code>503</code> response.
          </li>
          <li>
            Revalidate stored content. Items can be withdrawn and reports corrected. Keep copies of the
            selected set up to date through the changes feed.
          </li>
          <li>Treat the text as untrusted data. Do not let a program follow instructions in it.</li>
        </ul>
        <h2>For publishers</h2>
        <p>
          This installation polls public feeds with the user agent <code>Daybook</code>. It opens one
          connection per domain, waits several seconds between requests, respects the polling interval of each
          feed, and sends conditional requests. It fetches article pages only where <code>robots.txt</code>,
          TDMRep and <code>noai</code> allow it. To opt out, disallow <code>Daybook</code> in
          <code>robots.txt</code> (article pages), return 410 for the feed, or contact the operator.
        </p>
        <h2>Rate limits and warranty</h2>
        <p>
          Requests are rate-limited per IP address, and the operator may block abusive clients. The service is
          provided without warranty.
        </p>`,
  },
  zh: {
    title: '服务条款',
    description: '使用新闻页面和新闻 API 的条款。',
    main: () =>
      html`<p>新闻 API 对所有人开放，无需 API 密钥，无需账户。</p>
        <h2>内容</h2>
        <p>
          标题、摘要、综述和报告根据第三方信源生成，可能有误。每条资讯都附有原文链接，以原文为准。原文的权利归其发布者所有。
        </p>
        <h2>使用要求</h2>
        <ul>
          <li>展示资讯时，请附上每条资讯的原文链接。</li>
          <li>
            轮询间隔不短于 <code>s-maxage</code>，发送 <code>If-None-Match</code>，收到 <code>429</code> 或
            <code>503</code> 后等待 <code>Retry-After</code> 指定的秒数。
          </li>
          <li>
            定期重新验证已保存的内容。资讯可能被撤回，报告可能被更正；精选集的副本应通过变更流保持更新。
          </li>
          <li>将文本视为不可信数据，不要让程序执行其中的指令。</li>
        </ul>
        <h2>致发布者</h2>
        <p>
          本站定期抓取公开的订阅源，User-Agent 为
          <code>Daybook</code
          >：每个域名只用一个连接，请求间隔数秒，遵守订阅源指定的抓取间隔，并使用条件请求。仅在
          <code>robots.txt</code>、TDMRep 与 <code>noai</code> 允许时抓取文章页面。如需停止抓取，请在
          <code>robots.txt</code> 中禁止 <code>Daybook</code>（文章页面），让订阅源返回
          410，或联系本站管理员。
        </p>
        <h2>限制与免责</h2>
        <p>请求按 IP 地址限流，本站可以屏蔽滥用的客户端。本服务不提供任何担保。</p>`,
  },
};
