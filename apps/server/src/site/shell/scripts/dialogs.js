// A dialog that the server rendered open becomes modal: the focus stays inside, and Escape closes it. A link to a form
// opens the same form in a dialog where the page contains it.
for (const dialog of document.querySelectorAll('dialog.dialog:is([open], :target)')) {
  if (dialog.matches(':target')) location.hash = '';
  dialog.close();
  dialog.showModal();
}
document.addEventListener('click', (event) => {
  const opener = event.target.closest('a[data-dialog]');
  const dialog = opener === null ? null : document.getElementById(opener.dataset.dialog);
  if (dialog !== null && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    opener.closest('[popover]')?.hidePopover();
    dialog.showModal();
  }
  const closer = event.target.closest('[data-close]');
  if (closer !== null) {
    event.preventDefault();
    closer.closest('dialog')?.close();
    closer.closest('.toast')?.remove();
  }
});
