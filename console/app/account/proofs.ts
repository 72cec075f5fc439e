/** How people prove who they are besides the password: the second factor and passkeys of their own account. */
import { bytesOf, textOf } from '../../passkeys/base64url.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components, paths } from '../api/gateway-api.d.ts'

export type Passkey = components['schemas']['Passkey']
/** The state of the second factor. */
export type SecondFactorState =
  paths['/whoami/second-factor']['get']['responses'][200]['content']['application/json']
/** The passkeys, and the origins of the pages at which they work. */
export type OwnPasskeys = paths['/whoami/passkeys']['get']['responses'][200]['content']['application/json']

/** What confirms a change. */
export interface Confirmation {
  readonly password: string
  readonly code: string
}

/** The keys under which they are kept. */
export const secondFactorKey = ['account', 'second-factor']
export const passkeysKey = ['account', 'passkeys']

export const readSecondFactor = (): Promise<SecondFactorState> => dataOf(gateway.GET('/whoami/second-factor'))

/** Makes a secret for an authenticator app, which is not shown again. */
export const setUpSecondFactor = (password: string) =>
  dataOf(gateway.POST('/whoami/second-factor', { body: { password } }))

/** Turns it on by a code of the app, and gives the recovery codes. */
export async function activateSecondFactor(code: string): Promise<readonly string[]> {
  return (await dataOf(gateway.PATCH('/whoami/second-factor', { body: { code } }))).recovery_codes
}

export async function renewRecoveryCodes(body: Confirmation): Promise<readonly string[]> {
  return (await dataOf(gateway.POST('/whoami/second-factor/recovery-codes', { body }))).recovery_codes
}

export async function turnOffSecondFactor(body: Confirmation): Promise<void> {
  await dataOf(gateway.DELETE('/whoami/second-factor', { body }))
}

export const listPasskeys = (): Promise<OwnPasskeys> => dataOf(gateway.GET('/whoami/passkeys'))

/** Lets the browser make a passkey, and registers it. Throws a DOMException if the browser makes none. */
export async function addPasskey(name: string, { password, code }: Confirmation): Promise<void> {
  const body = { name, password, ...(code === '' ? {} : { code }) }
  const { options } = await dataOf(gateway.POST('/whoami/passkeys/options', { body }))
  const credential = await makePasskey(options)
  await dataOf(gateway.POST('/whoami/passkeys', { body: { name, credential } }))
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await dataOf(gateway.PATCH('/whoami/passkeys/{id}', { params: { path: { id } }, body: { name } }))
}

export async function removePasskey(id: string, password: string): Promise<void> {
  await dataOf(gateway.DELETE('/whoami/passkeys/{id}', { params: { path: { id } }, body: { password } }))
}

type NewPasskey =
  paths['/whoami/passkeys']['post']['requestBody']['content']['application/json']['credential']

/** The options as JSON has them. */
interface CreationOptions
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials: readonly { readonly id: string; readonly transports: string[] }[]
}

/** Not every browser that has passkeys reads and writes them as JSON. */
async function makePasskey(options: unknown): Promise<NewPasskey> {
  const { challenge, user, excludeCredentials, ...others } = options as CreationOptions
  const made = await navigator.credentials.create({
    publicKey: {
      ...others,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: excludeCredentials.map(({ id, transports }) => ({
        type: 'public-key',
        id: bytesOf(id),
        transports: transports as AuthenticatorTransport[],
      })),
    },
  })
  if (!(made instanceof PublicKeyCredential)) throw new DOMException('', 'NotAllowedError')
  const response = made.response as AuthenticatorAttestationResponse
  return {
    id: made.id,
    rawId: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}
