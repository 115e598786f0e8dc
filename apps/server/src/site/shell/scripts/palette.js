// Ctrl K or Cmd K: pages and resources by name, from the search page. Without script, its link opens that page.
const link = document.querySelector('a[data-palette]');
if (link !== null) {
  const dialog = document.createElement('dialog');
  const input = document.createElement('input');
  const results = document.createElement('div');
  dialog.className = 'dialog palette';
  dialog.setAttribute('aria-label', link.title);
  input.type = 'search';
  input.placeholder = link.title;
  input.setAttribute('aria-label', link.title);
  results.setAttribute('aria-live', 'polite');
  dialog.append(input, results);
  document.body.append(dialog);
  let timer;
  let running;
  const find = async () => {
    running?.abort();
    running = new AbortController();
    const address = new URL(link.href);
    address.searchParams.set('query', input.value);
    try {
      const response = await fetch(address, { signal: running.signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      results.replaceChildren(...(page.querySelector('[data-found]')?.childNodes ?? []));
    } catch {
      // Replaced by a newer request, or offline: the list stays as it is.
    }
  };
  const open = () => {
    if (dialog.open) return;
    input.value = '';
    dialog.showModal();
    void find();
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, 150);
  });
  dialog.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
    else if (event.key === 'Enter' && at === -1) links[0]?.click();
    else return;
    event.preventDefault();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    open();
  });
}
