/** Returns that many cryptographically random bytes. Injected, so that a test can set them. */
export type RandomSource = (size: number) => Uint8Array
