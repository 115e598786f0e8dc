// Repeats the check of a digest in this browser: each sentence against the quotations that the page shows, without a request
// to the server except for the program of the check.
const own = document.querySelector('script[data-quote-checker]');
const texts = JSON.parse(own.dataset.texts);
const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

function line(text) {
  const entry = document.createElement('li');
  entry.textContent = text;
  return entry;
}

/** Shows each fact of a sentence with the numbers of the reports whose quotation contains it. */
function checkSentence(checker, place) {
  const quotes = [...place.querySelectorAll('[data-quote]')];
  const { findings, facts } = checker.checkQuotes(
    place.querySelector('[data-sentence]').textContent,
    quotes.map((quote) => ({
      spans: [...quote.querySelectorAll('q')].map((span) => span.textContent),
      sourceName: quote.dataset.quote,
    })),
  );
  const shown = facts
    .filter((fact) => fact.quotes.length > 0)
    .map((fact) => line(`${fact.text} — ${fact.quotes.map((at) => quotes[at].dataset.number).join(', ')}`));
  if (findings.length > 0)
    shown.push(line(fill(texts.missing, { facts: findings.map(({ text }) => text).join(', ') })));
  const list = place.querySelector('[data-facts]');
  list.replaceChildren(...shown);
  list.hidden = shown.length === 0;
  place.dataset.result = findings.length === 0 ? 'supported' : 'unsupported';
  return findings.length === 0;
}

async function check(part) {
  const status = part.querySelector('[role=status]');
  status.hidden = false;
  status.textContent = texts.checking;
  try {
    const checker = await import(own.dataset.quoteChecker);
    const results = [...part.querySelectorAll('[data-quoted]')].map((place) => checkSentence(checker, place));
    const supported = results.filter(Boolean).length;
    const text = supported === results.length ? texts.supported : texts.partly;
    status.textContent = fill(text, { count: results.length, supported });
  } catch (error) {
    status.textContent = texts.unreadable;
    reportError(error);
  }
}

for (const part of document.querySelectorAll('[data-quotes]')) {
  const button = part.querySelector('button');
  button.hidden = false;
  button.addEventListener('click', () => void check(part));
}
