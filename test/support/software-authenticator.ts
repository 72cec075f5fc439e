/** An authenticator and the browser before it, written from https://www.w3.org/TR/webauthn-3/. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What registrations and logons are asked for, as the gateway answers it. */
export interface PasskeyOptions {
  readonly options: {
    readonly challenge: string
    readonly rp?: { readonly id: string }
    readonly rpId?: string
    readonly user?: { readonly id: string }
  }
}

/** What a browser or an authenticator may do otherwise. */
export interface Oddities {
  readonly origin?: string
  readonly rpId?: string
  readonly verifiesUser?: boolean
  readonly challenge?: string
  readonly counter?: number
  readonly userHandle?: string | null
  readonly id?: string
  readonly crossOrigin?: boolean
  readonly type?: string
  /** Format and statement; none if absent. */
  readonly attestation?: readonly [string, ReadonlyMap<string, unknown>]
}

export type Algorithm = 'ES256' | 'EdDSA'

/** One passkey, with its private key. */
export class SoftwarePasskey {
  readonly id = randomBytes(32).toString('base64url')
  readonly #origin: string
  readonly #algorithm: Algorithm
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  #userHandle = ''
  counter = 0

  constructor(origin: string, algorithm: Algorithm = 'ES256') {
    this.#origin = origin
    this.#algorithm = algorithm
    this.#keys =
      algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519')
  }

  /** What `navigator.credentials.create` gives. */
  create({ options }: PasskeyOptions, oddities: Oddities = {}) {
    const { rpId = options.rp?.id ?? '', counter = this.counter, verifiesUser = true } = oddities
    this.#userHandle = options.user?.id ?? ''
    const credential = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credential.length)
    const data = Buffer.concat([
      authenticatorData(rpId, counter, flagsOf(verifiesUser) | 0x40),
      ...[Buffer.alloc(16), length, credential, this.#coseKey()],
    ])
    const [format, statement] = oddities.attestation ?? ['none', new Map()]
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', data],
      ]),
    )
    return {
      ...this.#head(oddities),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, oddities),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'hybrid'],
        publicKeyAlgorithm: this.#algorithm === 'ES256' ? -7 : -8,
      },
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    }
  }

  /** What `navigator.credentials.get` gives. */
  get({ options }: PasskeyOptions, oddities: Oddities = {}) {
    this.counter += this.counter === 0 ? 0 : 1
    const { rpId = options.rpId ?? '', counter = this.counter, verifiesUser = true } = oddities
    const { userHandle = this.#userHandle } = oddities
    const data = authenticatorData(rpId, counter, flagsOf(verifiesUser))
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, oddities)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const digest = this.#algorithm === 'ES256' ? 'sha256' : null
    const signature = sign(digest, Buffer.concat([data, hash]), this.#keys.privateKey)
    return {
      ...this.#head(oddities),
      response: {
        clientDataJSON,
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle,
      },
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    }
  }

  #head({ id = this.id }: Oddities) {
    return { id, rawId: id, type: 'public-key' }
  }

  #clientData(type: string, challenge: string, oddities: Oddities): string {
    const { origin = this.#origin, crossOrigin = false } = oddities
    const data = { type, challenge, origin, crossOrigin, ...oddities }
    const { type: shownType, challenge: shownChallenge } = data
    const text = JSON.stringify({ type: shownType, challenge: shownChallenge, origin, crossOrigin })
    return Buffer.from(text).toString('base64url')
  }

  /** https://www.rfc-editor.org/rfc/rfc9053 */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    return this.#algorithm === 'ES256'
      ? cbor(
          new Map<number, unknown>([
            [1, 2],
            [3, -7],
            [-1, 1],
            [-2, bytes(x)],
            [-3, bytes(y)],
          ]),
        )
      : cbor(
          new Map<number, unknown>([
            [1, 1],
            [3, -8],
            [-1, 6],
            [-2, bytes(x)],
          ]),
        )
  }
}

/** User present, and backed up as by a password manager. */
function flagsOf(verifiesUser: boolean): number {
  return 0x01 | 0x08 | 0x10 | (verifiesUser ? 0x04 : 0)
}

function authenticatorData(rpId: string, counter: number, flags: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
}

/** https://www.rfc-editor.org/rfc/rfc8949, as far as it is needed. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  if (value instanceof Map) {
    const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)])
    return Buffer.concat([cborHead(5, value.size), ...parts])
  }
  throw new Error(`CBOR for ${typeof value} is not needed here.`)
}

function cborHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}
