/** Gives so many bytes that nobody can guess. Passed in, so that a test knows them. */
export type RandomSource = (size: number) => Uint8Array
