// The summary beside a form follows the choices in it; without script a button shows it.
for (const button of document.querySelectorAll('button[data-previews]')) {
  const { form } = button;
  let timer;
  let running;
  button.hidden = true;
  const refresh = async () => {
    running?.abort();
    running = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set(button.name, button.value);
    try {
      const response = await fetch(form.action, { method: 'POST', body, signal: running.signal });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      for (const selector of ['[data-live]', '[data-chosen]']) {
        const fresh = [...page.querySelectorAll(selector)];
        const shown = [...document.querySelectorAll(selector)];
        if (fresh.length !== shown.length) continue;
        shown.forEach((part, index) => part.replaceChildren(...fresh[index].childNodes));
      }
      // The text follows the lists; while text is typed, it stays as it is.
      if (body.get('as') === 'text') return;
      for (const area of form.querySelectorAll('textarea[id]'))
        area.value = page.getElementById(area.id)?.value ?? area.value;
    } catch {
      // Replaced by a newer request, or offline: the summary stays as it is.
    }
  };
  form.addEventListener('input', ({ target }) => {
    if (target.type === 'search' || target.name === 'name') return;
    clearTimeout(timer);
    timer = setTimeout(refresh, 250);
  });
}
