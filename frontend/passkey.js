// What only scripts can ask of a device: a passkey, for the forms that say so. The device's answer goes with the form, and the server says
// where it leads. Pages where nobody signs in or changes how they do never load it.

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

// The server writes JSON, and browsers want bytes.
const named = (one) => ({ ...one, id: bytes(one.id) });
const asBytes = ({ challenge, user, excludeCredentials = [], allowCredentials = [], ...rest }) => ({
  ...rest,
  challenge: bytes(challenge),
  user: user && named(user),
  excludeCredentials: excludeCredentials.map(named),
  allowCredentials: allowCredentials.map(named),
});

const TRANSPORTS = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"];
const asText = (credential) => {
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  const said = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (response[name]) said[name] = text(response[name]);
  if (response.attestationObject) said.transports = (response.getTransports?.() ?? []).filter((way) => TRANSPORTS.includes(way));
  const { credProps } = credential.getClientExtensionResults();
  const clientExtensionResults = credProps ? { credProps: { rk: credProps.rk } } : {};
  return JSON.stringify({ id, rawId: text(rawId), type, authenticatorAttachment, response: said, clientExtensionResults });
};

const why = ({ name, message }) => {
  if (name === "NotAllowedError") return "Your device did not give a passkey, or it took too long. Try again.";
  if (name === "InvalidStateError") return "This device has a passkey for your account already.";
  return name === "Refused" ? message : "That did not work on this device. Try again, or use another way.";
};

const refused = async (answer) => {
  const { detail } = await answer.json().catch(() => ({}));
  return Object.assign(new Error(detail ?? "Docket did not answer. Try again."), { name: "Refused" });
};

const forms = document.querySelectorAll("form[data-passkey]");
for (const form of forms) {
  const { passkey: verb } = form.dataset;
  const [button, problem] = [form.querySelector("button"), form.querySelector("span[role=alert]")];
  if (window.PublicKeyCredential) form.hidden = false;
  else if (verb === "create") {
    [form.hidden, button.disabled] = [false, true];
    problem.textContent = "This browser cannot use passkeys.";
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    [button.disabled, problem.textContent] = [true, ""];
    try {
      const answer = await fetch(`${form.getAttribute("action")}/question`, { method: "POST" });
      if (!answer.ok) throw await refused(answer);
      const publicKey = asBytes(await answer.json());
      form.elements.answer.value = asText(await navigator.credentials[verb]({ publicKey }));
      form.submit();
    } catch (error) {
      problem.textContent = why(error);
      button.disabled = false;
    }
  });
}
