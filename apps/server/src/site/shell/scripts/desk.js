// Pages of the desk: keys, events while the page is open, who is editing, and the check of typed text.
// In a block: the scripts of a page share their names.
{
  const main = document.getElementById('main');
  const { start, section, about, words } = JSON.parse(document.getElementById('desk').textContent);

  // Keys: each presses a button of the entry with the focus, or of the page.
  const currentEntry = () => document.activeElement?.closest('[data-entry]') ?? null;
  const press = (target) => {
    const control = target.matches('a, button, summary')
      ? target
      : (target.querySelector('input:not([type=hidden]), textarea, select') ??
        target.querySelector('a, button'));
    if (control === null) return;
    if (control.matches('a, button, summary')) control.click();
    else {
      control.focus();
      control.select?.();
      control.scrollIntoView({ block: 'center' });
    }
  };
  const mark = (entry) => {
    const box = entry?.querySelector('.pick input');
    if (box === undefined || box === null) return;
    box.checked = !box.checked;
    box.dispatchEvent(new Event('change', { bubbles: true }));
  };
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (target.closest('input:not([type=checkbox], [type=radio]), textarea, select, dialog') !== null) return;
    const entry = currentEntry();
    if (key === 'x') mark(entry);
    else if ('esmu'.includes(key)) {
      // Marked entries come first: the bar below them is about all of them.
      const found =
        main.querySelector(`.selected:not([hidden]) [data-key=${key}]`) ??
        entry?.querySelector(`[data-key=${key}]`) ??
        [...main.querySelectorAll(`[data-key=${key}]`)].find(
          (one) => one.closest('[data-entry], [hidden]') === null,
        ) ??
        (key === 'u' ? main.querySelector('[data-key=u]') : null);
      if (found !== null && found !== undefined) {
        event.preventDefault();
        press(found);
      }
    }
  });

  // Events: lists mark what changed and never move.
  const notice = main.querySelector('[data-changed]');
  const editing = main.querySelector('[data-editing]');
  const counts = { queue: 0, decision: 0 };
  const say = (text) => {
    notice.hidden = false;
    notice.querySelector('span').textContent = text;
  };
  const counted = (name, one, many) =>
    counts[name] === 0 ? [] : [counts[name] === 1 ? one : many.replace('{count}', String(counts[name]))];
  const sayCounts = () =>
    say(
      [
        ...counted('queue', words.newEntry, words.newEntries),
        ...counted('decision', words.decision, words.decisions),
      ].join(' '),
    );
  const markChanged = (subject) => {
    const [kind, id] = subject.split(' ');
    const folder = { story: 'stories', entry: 'entries' }[kind] ?? `${kind}s`;
    const found = main.querySelectorAll(
      `[data-entry$=" ${id}"], tr:has(a[href="/desk/${folder}/${id}"]), li:has(a[href="/desk/${folder}/${id}"])`,
    );
    for (const entry of found) {
      if (entry.querySelector('.badge.changed') !== null) continue;
      const badge = document.createElement('span');
      badge.className = 'badge warn changed';
      badge.textContent = words.changed;
      (entry.querySelector('h2, td.main, .grow') ?? entry).append(' ', badge);
    }
  };
  const onDecision = ({ subject }) => {
    if (section !== 'journal') markChanged(subject);
    if (subject === about) say(words.pageChanged);
    else if (section === 'journal') {
      counts.decision += 1;
      sayCounts();
    }
  };
  const onQueue = () => {
    if (section !== 'queue' || about !== null) return;
    counts.queue += 1;
    sayCounts();
  };
  const onPresence = ({ people }) => {
    editing.hidden = people.length === 0;
    const text = people.length === 1 ? words.editingOne : words.editing;
    editing.textContent = text.replace('{people}', people.join(', '));
  };

  let source;
  let after = start;
  let timer;
  const follow = () => {
    clearTimeout(timer);
    const query = new URLSearchParams({ after, ...(about !== null && { about }) });
    source = new EventSource(`/desk/events?${query}`);
    const on = (name, run) =>
      source.addEventListener(name, (event) => {
        if (event.lastEventId !== '') after = event.lastEventId;
        run(JSON.parse(event.data));
      });
    on('decision', onDecision);
    on('queue', onQueue);
    on('presence', onPresence);
    on('reset', () => {
      source.close();
      source = undefined;
      say(words.expired);
    });
    // The browser connects again by itself, except after a refusal.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(follow, 5_000);
    });
  };
  // Browsers open few connections to one server: a page in the background has none.
  const followWhileVisible = () => {
    if (document.hidden) {
      clearTimeout(timer);
      source?.close();
    } else follow();
  };
  document.addEventListener('visibilitychange', followWhileVisible);
  if (!document.hidden) follow();

  // Others who open the page learn that its forms are being changed.
  let reporting;
  const report = (state) => {
    const body = new URLSearchParams({ subject: about, editing: state });
    fetch('/desk/presence', { method: 'POST', body, keepalive: true }).catch(() => {});
  };
  const stopReporting = () => {
    if (reporting === undefined) return;
    clearInterval(reporting);
    reporting = undefined;
    report('0');
  };
  if (about !== null)
    main.addEventListener('input', ({ target }) => {
      if (reporting !== undefined || !target.matches('input, textarea') || target.type === 'search') return;
      report('1');
      reporting = setInterval(() => {
        if (!document.hidden) report('1');
      }, 8_000);
    });
  addEventListener('pagehide', stopReporting);

  // The check answers while text is typed. Without script, the form is checked when it is sent.
  for (const part of main.querySelectorAll('[data-checks]')) {
    const form = part.querySelector('form');
    const shown = document.getElementById(part.dataset.findings);
    let pause;
    let running;
    const show = (findings) => {
      const text = document.createElement('p');
      text.textContent = findings.length === 0 ? words.supported : words.unsupported;
      const list = document.createElement('ul');
      for (const finding of findings)
        list.append(Object.assign(document.createElement('li'), { textContent: finding }));
      shown.replaceChildren(text, ...(findings.length === 0 ? [] : [list]));
    };
    const check = async () => {
      running?.abort();
      running = new AbortController();
      const body = new URLSearchParams(new FormData(form));
      try {
        const response = await fetch(part.dataset.checks, { method: 'POST', body, signal: running.signal });
        if (response.ok) show((await response.json()).findings);
      } catch {
        // Replaced by a newer request, or offline: the list stays as it is.
      }
    };
    for (const button of form.querySelectorAll('button[name=check]')) button.hidden = true;
    form.addEventListener('input', () => {
      clearTimeout(pause);
      pause = setTimeout(check, 100);
    });
  }
}
