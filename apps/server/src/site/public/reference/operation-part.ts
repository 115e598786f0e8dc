import { html } from 'ghtml';

import { problemPath } from '../../../foundation/http/problem-response.ts';
import type { PageContext } from '../page-context.ts';
import { command, withCode } from '../texts/written-text.ts';
import type { ApiDocument, MediaType, Operation, ResponseObject } from './api-document.ts';
import { exampleOf } from './example-value.ts';
import { requestCommand } from './request-command.ts';
import { parameterList, schemaFields, typeName } from './schema-fields.ts';

const exampleLinesOpenMax = 12;

/** One operation: its request and its responses. */
export function operationPart(operation: Operation, document: ApiDocument, context: PageContext): string {
  const { operationId, method, path, summary, description, parameters, body, bytes } = operation;
  const words = context.words.reference;
  const request = { document, words, in: 'request' } as const;
  const answers = Object.entries(operation.responses);
  return html`<article class="operation" id="${operationId}">
    <h3>
      <a href="#${operationId}"
        ><span class="method ${method.toLowerCase()}">${method}</span> <code>!${breakable(path)}</code></a
      >
    </h3>
    <div lang="en">
      <p class="summary">!${withCode(summary)}</p>
      !${paragraphs(description ?? '')}
    </div>
    !${credentialLine(operation, words)}
    !${command(`curl-${operationId}`, requestCommand(operation, document, context.baseUrl), context)}
    !${
      parameters.length === 0
        ? ''
        : html`<h4>${words.parameters}</h4>
            <div lang="en">!${parameterList(parameters, request)}</div>`
    }
    !${
      body === null
        ? ''
        : html`<h4>${words.body}</h4>
            <div lang="en">!${schemaFields(body.schema, request)}</div>`
    }
    !${
      bytes === null
        ? ''
        : html`<h4>${words.body}</h4>
            <p><code>${bytes}</code></p>`
    }
    <h4>${words.answers}</h4>
    !${answers.filter(([status]) => Number(status) < 400).map(([status, answer]) => answerPart(status, answer, document, words))}
    !${errorList(answers.filter(([status]) => Number(status) >= 400))}
  </article>`;
}

type Words = PageContext['words']['reference'];

function credentialLine({ credentials }: Operation, words: Words): string {
  if (credentials.length === 0) return '';
  return html`<p class="credential">
    ${words.credential}:
    !${credentials.map((name) => html`<a href="#credential-${name}"><code>${name}</code></a>`).join(words.or)}
  </p>`;
}

function answerPart(status: string, answer: ResponseObject, document: ApiDocument, words: Words): string {
  const [contentType, media] = Object.entries(answer.content ?? {})[0] ?? [];
  const shown = { document, words, in: 'answer' } as const;
  const type = media === undefined ? '' : typeName(media.schema, shown);
  return html`<div class="answer" lang="en">
    <p>
      <strong class="status">${status}</strong> !${withCode(answer.description)}
      !${contentType === undefined ? '' : html`<span class="type">${contentType.split(';')[0]}, ${type}</span>`}
    </p>
    !${media === undefined ? '' : schemaFields(media.schema, shown)} !${headerList(answer, words)}
    !${contentType === undefined || media === undefined ? '' : examplePart(contentType, media, document, words)}
  </div>`;
}

function headerList({ headers = {} }: ResponseObject, words: Words): string {
  const entries = Object.entries(headers);
  if (entries.length === 0) return '';
  return html`<details>
    <summary>${words.headers(entries.length)}</summary>
    <ul class="fields">
      !${entries.map(
        ([name, { description }]) =>
          html`<li>
            <p><code class="field-name">${name}</code></p>
            <p>!${withCode(description)}</p>
          </li>`,
      )}
    </ul>
  </details>`;
}

function examplePart(contentType: string, media: MediaType, document: ApiDocument, words: Words): string {
  const isJson = contentType.includes('json');
  if (media.example === undefined && !isJson) return '';
  const value = media.example ?? exampleOf(media.schema, document);
  const text = typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, null, 2);
  const open = text.split('\n').length <= exampleLinesOpenMax ? 'open' : '';
  return html`<details !${open}>
    <summary>${words.example}</summary>
    <pre tabindex="0"><code>${text}</code></pre>
  </details>`;
}

/** Errors have one format, described once; operations differ in the codes. */
function errorList(errors: readonly (readonly [status: string, answer: ResponseObject])[]): string {
  return html`<ul class="errors" lang="en">
    !${errors.map(
      ([status, { description }]) =>
        html`<li>
          <strong class="status">${status}</strong>
          !${[...description.matchAll(/`(\w+)`/g)].map(([, code = '']) => html`<a href="${problemPath(code)}"><code>${code}</code></a>`).join(' ')}
        </li>`,
    )}
  </ul>`;
}

export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((part) => part !== '')
    .map((part) => html`<p>!${withCode(part)}</p>`)
    .join('');
}

/** Long paths break before a slash. */
function breakable(path: string): string {
  return path
    .split('/')
    .map((part) => html`${part}`)
    .join('<wbr>/');
}
