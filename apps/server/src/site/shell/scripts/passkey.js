// Asks the device for a passkey, or to create one, and sends the form with the answer. Requires script.
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const fault = form.querySelector('[data-fault]');
  const texts = JSON.parse(form.dataset.texts);
  const answer = form.elements.namedItem('response');
  const button = form.querySelector('button');
  button.disabled = window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined;
  if (button.disabled) {
    fault.textContent = texts.unsupported;
    fault.hidden = false;
  } else button.focus();
  const askDevice = async () => {
    try {
      answer.value = JSON.stringify(await credentialOf(form.dataset));
      button.disabled = false;
      form.requestSubmit(button);
    } catch (error) {
      button.disabled = false;
      fault.textContent = error.name === 'InvalidStateError' ? texts.known : texts.failed;
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

// In a form that asks for the password or a code: a passkey replaces them.
for (const button of document.querySelectorAll('button[data-proves]')) {
  const { form } = button;
  const fault = form.querySelector('[data-fault]');
  button.hidden = window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined;
  const askDevice = async () => {
    try {
      const credential = await credentialOf({ passkey: 'get', options: button.dataset.options });
      form.elements.namedItem('passkey_response').value = JSON.stringify(credential);
      for (const input of form.querySelectorAll('[data-proof] input')) input.required = false;
      form.requestSubmit();
    } catch {
      fault.textContent = JSON.parse(button.dataset.texts).failed;
      fault.hidden = false;
    }
    button.disabled = false;
  };
  button.addEventListener('click', () => {
    fault.hidden = true;
    button.disabled = true;
    void askDevice();
  });
}
