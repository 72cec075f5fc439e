import { bytesOf, textOf } from '../passkeys/base64url.ts'
import { call, Refusal } from './gateway.ts'

/** What the gateway gives a page that asks for a passkey. */
interface PasskeyRequest {
  /** Origins at which it can be asked for. */
  readonly origins: readonly string[]
  /** Absent if passkeys are turned off. */
  readonly options?: Omit<PublicKeyCredentialRequestOptions, 'challenge'> & { readonly challenge: string }
}

/** Whether this page can ask for a passkey; a sentence if that is for another address only. */
export async function passkeysHere(): Promise<boolean | string> {
  const request = await readRequest().catch(() => undefined)
  if (request === undefined || request.origins.length === 0) return false
  const { origins } = request
  if (!origins.includes(location.origin)) {
    return `Passkeys work at ${origins.join(' and ')}, not at this address.`
  }
  return 'PublicKeyCredential' in window
}

/** Lets the browser ask for a passkey: what it gives, for the gateway. Throws a Refusal. */
export async function askForPasskey(): Promise<object> {
  const { options } = await readRequest()
  const given =
    options === undefined
      ? null
      : await navigator.credentials
          .get({ publicKey: { ...options, challenge: bytesOf(options.challenge) } })
          .catch(() => null)
  if (!(given instanceof PublicKeyCredential)) {
    throw new Refusal('No passkey was used. Try again, or log on with the password.')
  }
  const response = given.response as AuthenticatorAssertionResponse
  const { id, type } = given
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

async function readRequest(): Promise<PasskeyRequest> {
  return (await call('GET', 'logon/passkey', new Headers())) as PasskeyRequest
}
