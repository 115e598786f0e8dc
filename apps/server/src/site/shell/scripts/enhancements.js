// Optional enhancements: copying, the theme, local times, keys, and notices of new items.
const words = JSON.parse(document.getElementById('words')?.textContent ?? '{}');

for (const button of document.querySelectorAll('button[data-copies]')) {
  const source = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  button.hidden = false;
  const show = (text) => {
    button.textContent = text;
    setTimeout(() => (button.textContent = label), 3_000);
  };
  button.addEventListener('click', () => {
    source.select?.();
    navigator.clipboard.writeText(source.value ?? source.textContent).then(
      () => show(words.copied),
      () => show(words.copyByKey),
    );
  });
}

const theme = document.querySelector('button[data-theme-switch]');
if (theme !== null) {
  const root = document.documentElement;
  const isDark = () =>
    (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
    'dark';
  const name = () => (theme.textContent = isDark() ? words.light : words.dark);
  theme.classList.add('ready');
  name();
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
    name();
  });
}

// The server writes times in Shanghai time; this converts them to local time.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone !== 'Asia/Shanghai' && words.locale !== undefined) {
  const styles = {
    clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  };
  const dayIn = (timeZone, date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(date);
  for (const time of document.querySelectorAll('time[data-form]')) {
    const date = new Date(time.dateTime);
    // Timelines are grouped by days in Shanghai: a time of another local day shows its date.
    const isOtherDay =
      time.closest('.timeline') !== null && dayIn(zone, date) !== dayIn('Asia/Shanghai', date);
    const options = styles[isOtherDay ? 'moment' : time.dataset.form];
    if (options === undefined) continue;
    time.title = `${time.textContent} (Shanghai)`;
    time.textContent = new Intl.DateTimeFormat(words.locale, options).format(date);
  }
  for (const place of document.querySelectorAll('[data-zone]')) place.textContent = words.yourTime;
}

const typing = (target) =>
  target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]') !== null;
const entries = [...document.querySelectorAll('[data-entry]')];
const step = (by) => {
  const at = entries.findIndex((entry) => entry.contains(document.activeElement));
  const next = entries[at === -1 ? (by > 0 ? 0 : entries.length - 1) : at + by];
  next?.querySelector('a, button, summary, input')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
};
const keys = document.getElementById('keys');
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (event.key === 'j') step(1);
  else if (event.key === 'k') step(-1);
  else if (event.key === '/') {
    const search = document.querySelector('input[type=search]');
    if (search === null || search.offsetParent === null) location.assign(words.searchPath);
    else search.focus();
    event.preventDefault();
  } else if (event.key === '?' && keys !== null) keys.showModal();
});

// "3 new items": polls no sooner than the response allows, only while visible, and only for changes.
const news = document.querySelector('[data-new-items]');
if (news !== null) {
  const address = news.dataset.newItems;
  const known = new Set(entries.map((entry) => entry.dataset.entry));
  const newestKnown = entries[0]?.dataset.key ?? '';
  let tag;
  const wait = (response) => {
    const after =
      Number(response.headers.get('retry-after')) ||
      Number(/s-maxage=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1]) ||
      60;
    return Math.max(after, 60) * 1_000;
  };
  const look = async () => {
    let pause = 120_000;
    try {
      if (document.hidden) throw new Error('hidden');
      const response = await fetch(address, { headers: tag === undefined ? {} : { 'if-none-match': tag } });
      pause = wait(response);
      if (response.status === 200) {
        tag = response.headers.get('etag') ?? undefined;
        const { items } = await response.json();
        const count = items.filter((item) => !known.has(item.id) && item.discoveredAt > newestKnown).length;
        news.hidden = count === 0;
        if (count > 0)
          news.textContent = (count === 1 ? words.newItem : words.newItems).replace('{count}', String(count));
      }
    } catch {
      // Offline or hidden: the page stays as it is.
    }
    setTimeout(look, pause * (1 + Math.random() / 10));
  };
  setTimeout(look, 60_000);
}
