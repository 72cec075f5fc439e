/**
 * What the page of a login form does with passkeys: it offers them in the field of the username, and by a button. The answer of
 * the authenticator is sent with the form. https://www.w3.org/TR/webauthn-3/#sctn-sample-authentication
 */
export const passkeyScript = `
const form = document.querySelector('form')
const button = document.getElementById('use-passkey')
const note = document.getElementById('passkey-note')
const failed = 'No passkey was used. Try again, or log in with the password.'
const minute = 60000
let offer
let isRenewed = false

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

function say(text) {
  note.textContent = text
  note.hidden = text === ''
}

async function ask() {
  const response = await fetch(button.dataset.options, { headers: { accept: 'application/json' } })
  return response.ok ? response.json() : undefined
}

async function get({ options }, more) {
  const publicKey = { ...options, challenge: bytesOf(options.challenge) }
  const { id, type, response } = await navigator.credentials.get({ publicKey, ...more })
  return {
    id,
    rawId: id,
    type,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle === null ? null : textOf(response.userHandle),
    },
  }
}

function send(credential) {
  form.elements.passkey.value = JSON.stringify(credential)
  form.submit()
}

// Only a person causes this event: what the browser kept of an earlier answer must not take the place of the password.
form.addEventListener('submit', () => {
  form.elements.passkey.value = ''
})

async function offerInField(first) {
  for (let asked = first; asked !== undefined; asked = await ask()) {
    offer = new AbortController()
    isRenewed = false
    const renewal = setTimeout(() => {
      isRenewed = true
      offer.abort()
    }, 4 * minute)
    try {
      return send(await get(asked, { mediation: 'conditional', signal: offer.signal }))
    } catch {
      if (!isRenewed) return
    } finally {
      clearTimeout(renewal)
    }
  }
}

async function use() {
  offer?.abort()
  button.disabled = true
  say('')
  try {
    const asked = await ask()
    if (asked === undefined) throw new Error(failed)
    send(await get(asked))
  } catch {
    say(failed)
    button.disabled = false
  }
}

async function start() {
  const asked = await ask()
  if (asked === undefined || asked.origins.length === 0) return
  if (!asked.origins.includes(location.origin)) {
    return say('Passkeys work at ' + asked.origins.join(' and ') + ', not at this address.')
  }
  if (window.PublicKeyCredential === undefined) return
  button.hidden = false
  button.addEventListener('click', use)
  if (await PublicKeyCredential.isConditionalMediationAvailable?.()) {
    form.elements.username.autocomplete = 'username webauthn'
    await offerInField(asked)
  }
}

start().catch(() => {})
`
