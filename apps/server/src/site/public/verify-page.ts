import { html } from 'ghtml';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { scripts } from '../shell/assets.ts';
import { factsLine } from './news-parts.ts';
import type { PageContext } from './page-context.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

const path = '/verify';

/** Where a reader verifies an address, an id or a saved proof. The check is a script: the server is not trusted. */
export function verifyPage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path,
    operationId: 'getVerifyPage',
    freshness: 'five-minutes',
    resource: (_input, context) => ({
      key: 'verify',
      cacheTags: [],
      build: async () => {
        const { verify: words } = context.words;
        return {
          title: words.title,
          description: words.lead,
          path,
          width: 'column',
          main: html`<h1>${words.title}</h1>
            <p class="lead">${words.lead}</p>
            <noscript><p class="empty">${words.needsScript}</p></noscript>
            <form data-verify-form hidden>
              <p>
                <label for="target">${words.target}</label>
                <input
                  id="target"
                  name="target"
                  type="text"
                  maxlength="2000"
                  aria-describedby="target-hint"
                />
                <span class="hint" id="target-hint">${words.targetHint}</span>
              </p>
              <p>
                <label for="proof">${words.file}</label>
                <input id="proof" name="proof" type="file" accept="application/json,.json" />
              </p>
              <p><button type="submit">${words.submit}</button></p>
            </form>
            <p class="note" data-verified role="status" hidden></p>
            <p class="meta">${words.remembers}</p>
            !${verifyScript(context)}`,
        };
      },
    }),
  });
}

/** On the page of something published: links to its check, which a script answers on the page, and to its history. */
export function verifyLine(page: string, context: PageContext): string {
  const { verify: words } = context.words;
  return html`<p class="meta">
      !${factsLine([
        html`<a
          href="${context.href(`${path}?target=${encodeURIComponent(page)}`)}"
          data-verify="${page}"
          rel="nofollow"
          >${words.check}</a
        >`,
        html`<a href="${context.href(`${page}/history`)}">${words.history}</a>`,
      ])}
      <span data-verified role="status" hidden></span>
    </p>
    !${verifyScript(context)}`;
}

function verifyScript({ words }: PageContext): string {
  return html`<script
    type="module"
    src="${scripts.verify.path}"
    data-log-verifier="${scripts.logVerifier.path}"
    data-texts="${JSON.stringify(words.verify.script)}"
  ></script>`;
}
