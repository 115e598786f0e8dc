// The bar below a table or a list of cards follows its check boxes; without script it is always visible. With Shift, a
// click gives all boxes since the last clicked one the same state.
for (const form of document.querySelectorAll('[data-selects]')) {
  const bar = form.querySelector('.selected');
  const count = bar.querySelector('strong');
  const all = form.querySelector('th.pick input');
  const boxes = [...form.querySelectorAll('.pick input')].filter((box) => box !== all);
  if (all !== null) all.hidden = false;
  const refresh = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    bar.hidden = chosen === 0;
    count.textContent = String(chosen);
    if (all === null) return;
    all.checked = chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  let last = null;
  form.addEventListener('click', ({ target, shiftKey }) => {
    const at = boxes.indexOf(target);
    if (at === -1) return;
    const from = shiftKey && last !== null ? last : at;
    for (const box of boxes.slice(Math.min(from, at), Math.max(from, at) + 1)) box.checked = target.checked;
    last = at;
  });
  form.addEventListener('change', refresh);
  refresh();
}
