// New items of saved searches on the front page, in a browser where their owner chose that. No other browser asks for them.
const frontChoice = document.querySelector('[data-front-page]');
if (frontChoice !== null) {
  if (frontChoice.dataset.frontPage === 'on') localStorage.setItem('watch', 'on');
  else localStorage.removeItem('watch');
}

const linkTo = (href, text) => Object.assign(document.createElement('a'), { href, textContent: text });

async function showMatches(section) {
  const response = await fetch(section.dataset.watch, { cache: 'no-store' });
  if (!response.ok) return;
  const { matches } = await response.json();
  if (matches.length === 0) return;
  section.querySelector('ul').replaceChildren(
    ...matches.map(({ title, href, source, search, searchHref }) => {
      const about = document.createElement('small');
      about.append(` ${source} · `, linkTo(searchHref, search));
      const entry = document.createElement('li');
      entry.append(linkTo(href, title), about);
      return entry;
    }),
  );
  section.hidden = false;
}

const savedSection = document.querySelector('[data-watch]');
// In a window without storage, as some private windows are, the page stays as it is.
try {
  if (savedSection !== null && localStorage.getItem('watch') === 'on')
    showMatches(savedSection).catch(() => {});
} catch {}
