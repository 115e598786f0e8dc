// Asks the device for a passkey, or to make one, and sends the form with its answer. Without script there are passwords.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const fault = form.querySelector('[data-fault]');
  const answer = form.elements.namedItem('response');
  const button = form.querySelector('button');
  button.disabled = window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined;
  if (button.disabled) {
    fault.textContent = 'This browser does not know passkeys.';
    fault.hidden = false;
  } else button.focus();
  const askDevice = async () => {
    try {
      answer.value = JSON.stringify(await credentialOf(form.dataset));
      button.disabled = false;
      form.requestSubmit(button);
    } catch (error) {
      button.disabled = false;
      fault.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey for your account already.'
          : 'The device made no passkey available, or you turned back. Try again.';
      fault.hidden = false;
    }
  };
  form.addEventListener('submit', (event) => {
    if (answer.value !== '') return;
    event.preventDefault();
    fault.hidden = true;
    button.disabled = true;
    void askDevice();
  });
}

function credentialOf({ passkey, options }) {
  const asked = JSON.parse(options);
  return passkey === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) });
}
