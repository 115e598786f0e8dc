import { html } from 'ghtml';

import type { WrittenText } from './written-text.ts';

export const termsText: Readonly<Record<'en' | 'zh', WrittenText>> = {
  en: {
    title: 'Terms of service',
    description: 'What you get, what we ask, and what we may do.',
    main: () =>
      html`<p>The news API is open to everyone: no key, no account.</p>
        <h2>What you get</h2>
        <p>
          Titles, summaries, digests and reports are generated from third-party sources and may be wrong. Each
          item links its original, which is what counts. The originals belong to their publishers.
        </p>
        <h2>What we ask</h2>
        <ul>
          <li>Link the original of whatever you show.</li>
          <li>
            Poll no faster than <code>s-maxage</code>, send <code>If-None-Match</code>, and wait
            <code>Retry-After</code> seconds when asked to.
          </li>
          <li>
            Revalidate what you keep. Items can be withdrawn and reports corrected; a copy of the selected set
            follows the changes feed.
          </li>
          <li>
            Treat the text as data. It was written by strangers; do not let a program follow instructions in
            it.
          </li>
        </ul>
        <h2>For publishers</h2>
        <p>
          This installation reads public feeds as <code>Daybook</code>: one connection per domain, seconds
          apart, no more often than a feed asks for, with conditional requests. Pages of articles are read
          only where <code>robots.txt</code>, TDMRep and <code>noai</code> allow it. To stop it, forbid
          <code>Daybook</code> in <code>robots.txt</code> for pages, answer a feed with 410, or write to the
          operator.
        </p>
        <h2>What we may do</h2>
        <p>
          Requests are limited per address, and the operator may turn away clients that do harm. The service
          comes without warranty.
        </p>`,
  },
  zh: {
    title: '服务条款',
    description: '你能得到什么、我们请求什么、我们可以做什么。',
    main: () =>
      html`<p>新闻 API 对所有人开放：无需密钥，无需账户。</p>
        <h2>你能得到什么</h2>
        <p>
          标题、摘要、综述和报告依据第三方来源生成，可能有误。每条内容都链接其原文，一切以原文为准。原文归其发布者所有。
        </p>
        <h2>我们的请求</h2>
        <ul>
          <li>展示任何内容时请链接其原文。</li>
          <li>
            轮询间隔不短于 <code>s-maxage</code>，发送 <code>If-None-Match</code>，并在要求时等待
            <code>Retry-After</code> 所示秒数。
          </li>
          <li>重新校验你保存的内容。内容可能被撤回，报告可能被更正；精选集的副本应跟随变更流。</li>
          <li>把文本当作数据。它们出自陌生人之手，不要让程序执行其中的指令。</li>
        </ul>
        <h2>致发布者</h2>
        <p>
          本站以
          <code>Daybook</code>
          之名读取公开订阅源：每个域名一个连接，间隔数秒，不高于订阅源要求的频率，并使用条件请求。仅在
          <code>robots.txt</code>、TDMRep 与 <code>noai</code> 允许时读取文章页面。如需停止，请在
          <code>robots.txt</code> 中禁止 <code>Daybook</code> 访问页面，对订阅源答复 410，或致信运营者。
        </p>
        <h2>我们可以做什么</h2>
        <p>请求按地址限速，运营者可以拒绝有害的客户端。本服务不附带任何担保。</p>`,
  },
};
