/** The values of a `Bind` message, with their formats: text, or bytes as they are. */
export type BoundValues = readonly (string | Buffer | null)[]

/** How many bytes `writeBoundValues` may take at most. */
export function boundLength(values: BoundValues): number {
  let length = 4 + values.length * 6
  for (const value of values) {
    // A UTF-16 code unit has at most three bytes in UTF-8.
    if (value !== null) length += typeof value === 'string' ? value.length * 3 : value.length
  }
  return length
}

/** Writes the values from an offset on; returns the offset after them. */
export function writeBoundValues(bytes: Buffer, start: number, values: BoundValues): number {
  const hasBytes = values.some((value) => value instanceof Buffer)
  let at = bytes.writeInt16BE(hasBytes ? values.length : 0, start)
  if (hasBytes) for (const value of values) at = bytes.writeInt16BE(value instanceof Buffer ? 1 : 0, at)
  at = bytes.writeUInt16BE(values.length, at)
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at)
      continue
    }
    const size = typeof value === 'string' ? bytes.write(value, at + 4) : value.copy(bytes, at + 4)
    bytes.writeInt32BE(size, at)
    at += 4 + size
  }
  return at
}
