import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs values by HMAC-SHA-256. What they are for comes first, so that none is good in place of another. */
export function sign(key: string | Buffer, values: readonly unknown[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(values)).digest()
}

/** Whether it is the signature of these values; how long this takes tells nothing about the right one. */
export function isSignature(given: Buffer, key: string | Buffer, values: readonly unknown[]): boolean {
  const right = sign(key, values)
  return given.length === right.length && timingSafeEqual(given, right)
}
