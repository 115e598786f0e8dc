import type { Language } from '../dispatch.ts';

/** Pages sent with status 200 instead of the requested resource. */
export function challengePage(host: string): string {
  return `<!DOCTYPE html><html lang="en"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="390"></head>
<body><div class="main-wrapper" role="main"><div class="main-content"><h1>${host}</h1><h2>Checking if the site connection is secure</h2>
<div id="challenge-stage"></div><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript>
<p>${host} needs to review the security of your connection before proceeding.</p></div></div>
<script>(function(){window._cf_chl_opt={cvId:"3",cType:"managed",cRay:"8f1c2d3e4f5a6b7c"};})();</script></body></html>`;
}

const consentTexts: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Before you continue',
    'We and our 843 partners store and access personal data, like browsing data or unique identifiers, on your device.',
    'Selecting “I accept” enables tracking technologies to support the purposes shown under “we and our partners process data to provide”.',
    'If you do not agree, you can subscribe and read without advertising.',
    'I accept',
    'Manage settings',
  ],
  zh: [
    '在您继续之前',
    '我们和我们的 843 家合作伙伴会在您的设备上存储和访问个人数据，例如浏览数据或唯一标识符。',
    '选择“我同意”即表示允许使用跟踪技术，以支持“我们与合作伙伴处理数据以提供”所列的各项目的。',
    '如果您不同意，可以订阅无广告版本继续阅读。',
    '我同意',
    '管理设置',
  ],
};

export function consentPage(language: Language): string {
  const [heading, first, second, third, accept, settings] = consentTexts[language];
  return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${heading}</title></head>
<body><div id="consent-wall" class="privacy-dialog"><h1>${heading}</h1><p>${first}</p><p>${second}</p><p>${third}</p>
<form method="post"><button name="agree" value="1">${accept}</button><a href="#settings">${settings}</a></form></div></body></html>`;
}

const paywallTexts: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Subscribe to continue reading',
    'You have reached your limit of free articles this month.',
    'Subscribers have unlimited access to all articles, newsletters and the archive. Cancel any time.',
    'Already a subscriber? Sign in.',
  ],
  zh: [
    '订阅后继续阅读',
    '您本月的免费文章已读完。',
    '订阅用户可不限量阅读全部文章、通讯和资料库，可随时取消。',
    '已经订阅？请登录。',
  ],
};

export function paywallPage(language: Language, title: string): string {
  const [heading, first, second, third] = paywallTexts[language];
  return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${title}</title><meta name="robots" content="noarchive"></head>
<body><main><h1>${title}</h1><section class="paywall"><h2>${heading}</h2><p>${first}</p><p>${second}</p><p>${third}</p></section></main></body></html>`;
}
