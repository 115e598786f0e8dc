// Search as you type in a list of choices; without script the list is complete.
for (const picker of document.querySelectorAll('[data-picker]')) {
  const search = picker.querySelector('input[type=search]');
  const choices = [...picker.querySelectorAll('label:has(input[type=checkbox], input[type=radio])')];
  const none = picker.querySelector('[data-none]');
  search.closest('.find').hidden = false;
  search.addEventListener('input', () => {
    const sought = search.value.trim().toLowerCase();
    for (const choice of choices)
      choice.hidden =
        !choice.textContent.toLowerCase().includes(sought) && !choice.querySelector('input').checked;
    none.hidden = choices.some((choice) => !choice.hidden);
  });
  // Enter searches, and does not send the form around the list.
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault();
  });
}
