/** Recovery codes: each replaces a code of the second factor once, for a person whose authenticator app is lost. */
import type { RandomSource } from '../../../util/random-source.ts'
import { hashOfSecret } from '../secret.ts'

const codesMade = 10
/** 66 bits: too many to be guessed, so that a fast hash is enough. Digits, for the keyboard that the form shows. */
const digits = 20

/** New codes, in groups of four digits: to be shown once. */
export function newRecoveryCodes(randomBytes: RandomSource): readonly string[] {
  return Array.from({ length: codesMade }, () => {
    const number = BigInt(`0x${Buffer.from(randomBytes(16)).toString('hex')}`) % 10n ** BigInt(digits)
    return number
      .toString()
      .padStart(digits, '0')
      .replace(/\d{4}(?=\d)/g, '$& ')
  })
}

/** The hash by which a code is stored. */
export function hashOfRecoveryCode(code: string): string {
  return hashOfSecret(code.replaceAll(/\D/g, ''))
}

/** Whether a text without blanks has the form of a recovery code. */
export function isRecoveryCode(text: string): boolean {
  return text.length === digits && /^\d+$/.test(text)
}
