/**
 * Encrypts the content of a session with a key that is derived from its cookie: the store, or a copy of it, reveals no
 * tokens and no personal data. AES-256-GCM, https://www.rfc-editor.org/rfc/rfc5116
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** A text that only the holder of `secret` can decrypt. */
export function seal(secret: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyOf(secret), nonce)
  const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
  return Buffer.concat([nonce, body, sealing.getAuthTag()]).toString('base64url')
}

/** The decrypted text; undefined if it was encrypted with another secret or has been changed. */
export function unseal(secret: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) return undefined
  try {
    const opening = createDecipheriv(cipher, keyOf(secret), bytes.subarray(0, nonceBytes))
    opening.setAuthTag(bytes.subarray(-tagBytes))
    const body = bytes.subarray(nonceBytes, -tagBytes)
    return Buffer.concat([opening.update(body), opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse session', 32))
}
