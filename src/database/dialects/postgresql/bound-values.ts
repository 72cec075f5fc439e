/** The values of a `Bind` message, with their formats: text, and bytes as they are. */
export function boundValues(values: readonly (string | Buffer | null)[]): Buffer {
  const hasBytes = values.some((value) => value instanceof Buffer)
  let length = 2 + (hasBytes ? values.length * 2 : 0) + 2
  for (const value of values)
    length += 4 + (value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : value.length)
  const bytes = Buffer.allocUnsafe(length)
  let at = bytes.writeInt16BE(hasBytes ? values.length : 0, 0)
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
  return bytes
}
