/**
 * Time-based one-time passwords (TOTP, RFC 6238) as authenticator apps make them: 6 digits, HMAC-SHA-1, a new one every
 * 30 seconds.
 */
import { Secret, TOTP } from 'otpauth'
import type { RandomSource } from '../../../util/random-source.ts'

const periodSeconds = 30
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20
const issuer = 'Gatehouse'

/** A new secret, in Base32. */
export function newOneTimeSecret(randomBytes: RandomSource): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(secretBytes)).buffer }).base32
}

/** The address that authenticator apps read, mostly from a QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function oneTimeSecretUri(secret: string, username: string): string {
  return new TOTP({ issuer, label: username, secret, period: periodSeconds }).toString()
}

/** The time step of a code: the current one, the one before or the next; undefined if the code is that of none. */
export function timeStepOf(code: string, secret: string, timestamp: Date): number | undefined {
  // The library compares bytes, and throws if characters take several.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const milliseconds = timestamp.getTime()
  const delta = new TOTP({ secret, period: periodSeconds }).validate({
    token: code,
    window: 1,
    timestamp: milliseconds,
  })
  return delta === null ? undefined : Math.floor(milliseconds / 1000 / periodSeconds) + delta
}
