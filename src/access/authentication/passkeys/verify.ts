/**
 * What an authenticator has answered, verified: https://www.w3.org/TR/webauthn-3/#sctn-rp-operations. The package that does it
 * is loaded with the first answer.
 */
import * as v from 'valibot'
import type { StoredPasskey } from '../../../store/passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

const base64url = v.pipe(v.string(), v.maxLength(12_000), v.regex(/^[\w-]*$/))
const head = { id: base64url, rawId: base64url, type: v.literal('public-key') }

/** The answer to a registration, as the browser's `toJSON` writes it; more members are ignored. */
export const registrationSchema = v.pipe(
  v.object({
    ...head,
    response: v.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(50))), v.maxLength(20))),
    }),
  }),
  v.description('What `navigator.credentials.create` gave, as its `toJSON` writes it.'),
)
/** The answer to a logon. */
export const assertionSchema = v.pipe(
  v.object({
    ...head,
    response: v.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: v.optional(v.nullable(base64url)),
    }),
  }),
  v.description('What `navigator.credentials.get` gave, as its `toJSON` writes it.'),
)

export type Registration = v.InferOutput<typeof registrationSchema>
export type Assertion = v.InferOutput<typeof assertionSchema>

/** The keys that are accepted: Ed25519, P-256 and RSA. https://www.iana.org/assignments/cose/cose.xhtml#algorithms */
export const keyAlgorithms = [-8, -7, -257] as const

type Verified<Parts extends keyof StoredPasskey> = Pick<StoredPasskey, Parts>

/** The passkey that an answer registers; undefined if anything is wrong with it. The challenge was checked before. */
export async function verifyRegistration(
  registration: Registration,
  challenge: string,
  { id: expectedRPID, origins }: RelyingParty,
): Promise<Verified<'credentialId' | 'publicKey' | 'counter' | 'backedUp'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const { attestationObject, ...response } = registration.response
    // Who made the authenticator does not matter, so nothing that it says about itself is verified: certificates could name
    // addresses to be fetched.
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...registration,
        response: {
          clientDataJSON: response.clientDataJSON,
          attestationObject: withoutAttestation(authData).toString('base64url'),
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...keyAlgorithms],
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp: backedUp } = registrationInfo
    if (credential.id !== registration.id) return undefined
    const publicKey = Buffer.from(credential.publicKey).toString('base64url')
    return { credentialId: credential.id, publicKey, counter: credential.counter, backedUp }
  } catch {
    return undefined
  }
}

/** What an answer says about a passkey; undefined if anything is wrong with it. The challenge was checked before. */
export async function verifyAssertion(
  { response, ...assertion }: Assertion,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: StoredPasskey },
  { id: expectedRPID, origins }: RelyingParty,
): Promise<Verified<'counter' | 'backedUp'> | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        response: {
          clientDataJSON: response.clientDataJSON,
          authenticatorData: response.authenticatorData,
          signature: response.signature,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID,
      credential: {
        id: passkey.credentialId,
        publicKey: Buffer.from(passkey.publicKey, 'base64url'),
        // The counter is compared with the row locked.
        counter: 0,
      },
      requireUserVerification: true,
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/** An attestation object in CBOR that says nothing of the authenticator: https://www.w3.org/TR/webauthn-3/#sctn-none-attestation */
function withoutAttestation(authData: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  const text = (letters: string) => Buffer.from([0x60 + letters.length, ...Buffer.from(letters)])
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
    ...[text('authData'), Buffer.from([0x59]), length, authData],
  ])
}
