import { html } from 'ghtml';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { WrittenText } from './written-text.ts';

export const aboutText: Readonly<Record<ReaderLanguage, WrittenText>> = {
  en: {
    title: 'About Daybook',
    description: 'How Daybook collects, groups, ranks and reports AI industry news.',
    main: ({ href }) =>
      html`<p class="lead">
          Daybook follows publishers that cover the AI industry. It shows what happened, which sources report
          it, and where they disagree.
        </p>
        <h2>How it works</h2>
        <p>
          Daybook polls publishers’ feeds continuously. The
          <a href="${href('/sources')}">list of sources</a> is public. Reports of the same fact are shown
          once. Reports of the same event are grouped into a story with a digest, and each sentence of the
          digest cites its reports. A program checks every sentence against the reports it cites.
        </p>
        <h2>How items are selected</h2>
        <p>
          Every item gets a score. The items with the highest scores are selected and appear in the timeline,
          each with the reason for its selection. The <a href="${href('/hot')}">ranking</a> counts independent
          owners: a publisher with ten sites counts once, and so do copies of one text.
        </p>
        <h2 id="errors">Corrections and withdrawals</h2>
        <p>
          Items can be withdrawn and reports corrected. A withdrawn item disappears from every page, feed and
          preview within a second. A corrected report states what changed and when. Mirrors of the selected
          set receive both through the changes feed.
        </p>
        <h2>Privacy</h2>
        <p>
          The news pages set no cookies, load no third-party content and do not identify you. Your light or
          dark theme is saved in your browser.
        </p>`,
  },
  zh: {
    title: '关于 Daybook',
    description: 'Daybook 如何收集、归类、排序和汇总 AI 行业新闻。',
    main: ({ href }) =>
      html`<p class="lead">
          Daybook 持续关注报道 AI 行业的媒体，呈现发生了什么、哪些信源作了报道，以及各方说法有何不同。
        </p>
        <h2>工作方式</h2>
        <p>
          Daybook 持续抓取各媒体的订阅源，<a href="${href('/sources')}">信源列表</a
          >是公开的。同一事实的报道只显示一次；同一事件的报道归入一个事件并附综述，综述中的每句话都注明所引用的报道，并由程序核对是否与报道一致。
        </p>
        <h2>精选规则</h2>
        <p>
          每条资讯都有评分，评分最高的进入精选时间线，并附入选理由。<a href="${href('/hot')}">热点排名</a
          >按独立所有者计数：拥有十个网站的媒体只计一次，同一篇稿件的转载也只计一次。
        </p>
        <h2 id="errors">更正与撤回</h2>
        <p>
          资讯可以撤回，报告可以更正。已撤回的资讯会在一秒之内从所有页面、订阅源和预览中消失；更正过的报告会注明更正的时间和内容。精选集的镜像通过变更流获知撤回和更正。
        </p>
        <h2>隐私</h2>
        <p>
          新闻页面不使用 cookie，不加载第三方内容，也不识别访问者身份。您选择的浅色或深色主题保存在浏览器中。
        </p>`,
  },
};
