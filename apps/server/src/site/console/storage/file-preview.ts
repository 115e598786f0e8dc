import { text } from 'node:stream/consumers';

import { html } from 'ghtml';

import type { StorageRequest, folders } from '../../../storage/index.ts';
import { contents, texts } from '../../../storage/index.ts';
import { say } from '../../shell/words/say.ts';
import { previewAddress } from './preview-ticket.ts';
import type { StorageTools } from './storage-frame.ts';
import { readableSize } from './storage-frame.ts';

/** Maximum length of a shown text; the rest is in the file. */
const textBytesMax = 16 * 1024;

/** Shows the content, if browsers show its type without running anything. */
export async function filePreview(
  tools: StorageTools,
  asked: StorageRequest,
  here: string,
  entry: folders.Entry,
): Promise<string> {
  const { id, name, content } = entry;
  const preview = content === null ? null : contents.previewOf(content);
  if (content === null || !contents.isReadableBy(content, asked.caller.accountId, tools.files.settings))
    return '';
  if (preview === null) return firstPage(tools, asked, here, entry);
  const address = previewAddress(tools, asked, here, id);
  if (preview.kind === 'text')
    // The rest of the page works while the bucket is unreachable.
    return textPreview(tools.files, { ...asked, fileId: id }).catch(
      () => html`<p class="hint">${say('The preview is temporarily unavailable.')}</p>`,
    );
  const shown = {
    image: html`<img src="${address}" alt="${name}" loading="lazy" />`,
    audio: html`<audio src="${address}" controls preload="none" aria-label="${name}"></audio>`,
    video: html`<video src="${address}" controls preload="none" aria-label="${name}"></video>`,
  };
  return html`<p class="preview">!${shown[preview.kind]}</p>`;
}

/** Of a PDF, which browsers do not show in a sandbox. */
async function firstPage(
  tools: StorageTools,
  asked: StorageRequest,
  here: string,
  entry: folders.Entry,
): Promise<string> {
  const pictured = await texts.picturedFiles(tools.files, asked, [entry]);
  if (!pictured.has(entry.id)) return '';
  const alt = say('First page of {name}', { name: entry.name });
  return html`<p class="preview"><img src="${here}/picture" alt="${alt}" loading="lazy" /></p>`;
}

async function textPreview(...args: Parameters<typeof contents.readPreview>): Promise<string> {
  const { size, open } = await contents.readPreview(...args);
  const last = Math.min(size, textBytesMax) - 1;
  const beginning = await text(await open({ first: 0, last }, new AbortController().signal));
  const rest = html`<p class="hint">
    ${say('Showing the first {textBytesMax}.', { textBytesMax: readableSize(textBytesMax) })}
  </p>`;
  return html`<pre tabindex="0" role="region" aria-label="${say('Content')}"><code>${beginning}</code></pre>
    !${size > textBytesMax ? rest : ''}`;
}
