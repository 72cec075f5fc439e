/**
 * The keys with which the web front signs who calls: ES256, derived from the secrets of its configuration, so that all nodes
 * have the same keys without storing them.
 */
import { createECDH, createPrivateKey, hash, hkdfSync, type KeyObject } from 'node:crypto'

/** A public key: https://www.rfc-editor.org/rfc/rfc7517 */
interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly alg: 'ES256'
  readonly use: 'sig'
  /** Its thumbprint: https://www.rfc-editor.org/rfc/rfc7638 */
  readonly kid: string
}

/** A key with which tokens are signed. */
export interface IdentityKey {
  readonly privateKey: KeyObject
  readonly publicKey: PublicKey
}

/** The order of the curve P-256: https://doi.org/10.6028/NIST.SP.800-186 */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * The key of a secret. Half as many bits again as the key has leave no bias:
 * https://doi.org/10.6028/NIST.FIPS.186-5, A.2.1
 */
export function identityKeyOf(secret: string): IdentityKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse identity ES256', 48)).toString('hex')
  const scalar = (BigInt(`0x${seed}`) % (order - 1n)) + 1n
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(d)
  // One byte for the form, then both coordinates.
  const point = curve.getPublicKey()
  const shared = {
    crv: 'P-256',
    kty: 'EC',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const
  return {
    privateKey: createPrivateKey({ key: { ...shared, d: d.toString('base64url') }, format: 'jwk' }),
    // The members of a thumbprint are sorted, as they are above.
    publicKey: {
      ...shared,
      alg: 'ES256',
      use: 'sig',
      kid: hash('sha256', JSON.stringify(shared), 'base64url'),
    },
  }
}
