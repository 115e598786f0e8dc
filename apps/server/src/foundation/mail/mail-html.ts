import { html } from 'ghtml';

export const subjectCharsMax = 180;
const textCharsMax = 1_200;

/** Third-party text: it cannot start a new line of a header or of our own text. */
export function oneLine(text: string, charsMax = textCharsMax): string {
  const characters = Array.from(text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim());
  return characters.length <= charsMax
    ? characters.join('')
    : `${characters.slice(0, charsMax - 1).join('')}…`;
}

// Mail programs drop most styles: these are few, inline, and optional. Text uses the reader's own theme, except for
// secondary lines, which are legible on white and on black.
export const quiet = 'color:#767676;font-size:14px';
export const serif = "font-family:Georgia,'Songti SC','Noto Serif CJK SC',serif";

export function mailLink(address: string, text: string): string {
  return html`<a href="${address}" style="color:inherit">${text}</a>`;
}

/** The content is HTML. */
export function mailSection(label: string, content: string): string {
  return html`<h2 style="font-size:15px;border-top:2px solid;padding-top:8px;margin:28px 0 12px">${label}</h2>
    !${content}`;
}

/** The links are HTML. */
export function mailFooter(text: string, links: string): string {
  return html`<div style="${quiet};border-top:1px solid;margin-top:28px;padding-top:12px">
    <p style="margin:0 0 8px">${text}</p>
    <p style="margin:0">!${links}</p>
  </div>`;
}

export function mailPage({
  language,
  title,
  content,
}: {
  readonly language: string;
  readonly title: string;
  /** HTML. */
  readonly content: string;
}): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
      </head>
      <body style="margin:0">
        <div
          style="max-width:600px;margin:0 auto;padding:24px 16px;font-family:-apple-system,'Segoe UI',Roboto,'PingFang SC','Noto Sans CJK SC',sans-serif;font-size:16px;line-height:1.5"
        >
          !${content}
        </div>
      </body>
    </html> `;
}
