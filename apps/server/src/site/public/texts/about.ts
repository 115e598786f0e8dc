import { html } from 'ghtml';

import type { WrittenText } from './written-text.ts';

export const aboutText: Readonly<Record<'en' | 'zh', WrittenText>> = {
  en: {
    title: 'About Daybook',
    description: 'How Daybook collects, groups, ranks and reports the news of the AI industry.',
    main: ({ href }) =>
      html`<p class="lead">
          Daybook reads what publishers write about the AI industry and tells you what happened, who says so,
          and where they disagree.
        </p>
        <h2>How it is made</h2>
        <p>
          Publishers’ feeds are read around the clock;
          <a href="${href('/sources')}">the list of sources</a> is public. Reports of one fact are shown once.
          Reports of one event become a story with a digest, and each sentence of it names the reports it was
          written from. Whether a sentence says more than its reports is checked by a program, not by a
          promise.
        </p>
        <h2>What is selected</h2>
        <p>
          Every item gets a score, and the best become the selected timeline. Each selected item says why it
          is there. The <a href="${href('/hot')}">ranking</a> counts independent owners: a publisher with ten
          sites is one.
        </p>
        <h2 id="errors">When something is wrong</h2>
        <p>
          Items can be withdrawn and reports corrected. A withdrawn item disappears from every page, feed and
          preview within a second; a corrected report says what was changed and when. Whoever keeps a copy of
          the selected set learns of both by the changes feed.
        </p>
        <h2>Your privacy</h2>
        <p>
          These pages set no cookie, load nothing from elsewhere and do not know who you are. The look you
          choose is kept in your browser.
        </p>`,
  },
  zh: {
    title: '关于 Daybook',
    description: 'Daybook 如何收集、归组、排序和汇报 AI 行业新闻。',
    main: ({ href }) =>
      html`<p class="lead">
          Daybook 阅读各家媒体关于 AI 行业的报道，告诉你发生了什么、是谁说的、以及他们在哪里说法不一。
        </p>
        <h2>如何产生</h2>
        <p>
          我们全天候读取媒体的订阅源，<a href="${href('/sources')}">信源名单</a
          >是公开的。同一事实的报道只显示一次；同一事件的报道合为一个事件，并附综述，其中每句话都注明所依据的报道。一句话是否超出了其依据，由程序检验，而非凭口头保证。
        </p>
        <h2>如何精选</h2>
        <p>
          每条内容都有评分，最好的进入精选时间线，并说明入选理由。<a href="${href('/hot')}">热点排名</a
          >按独立所有者计数：拥有十个网站的媒体也只算一家。
        </p>
        <h2 id="errors">出现错误时</h2>
        <p>
          内容可以撤回，报告可以更正。撤回的内容会在一秒之内从所有页面、订阅源和预览中消失；更正过的报告会写明何时改了什么。保存精选集副本的人可从变更流得知这两者。
        </p>
        <h2>你的隐私</h2>
        <p>本站页面不设 cookie，不加载任何外部内容，也不知道你是谁。你选择的外观保存在你的浏览器中。</p>`,
  },
};
