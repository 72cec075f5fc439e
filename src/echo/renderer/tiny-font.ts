/**
 * A TrueType font with a PostScript name and a single, invisible character, as small as browsers accept one:
 * https://learn.microsoft.com/typography/opentype/spec/otff
 */
export function tinyFont(name: string, character: string): Buffer {
  const codePoint = character.codePointAt(0) ?? 0
  const tables = [
    ['OS/2', table(78, { 2: 500, 4: 400, 6: 5, 68: 800, 70: -200, 74: 800, 76: 200 })],
    // One encoding, for all of Unicode, with one group of one character: glyph 1.
    ['cmap', table(40, { 2: 1, 4: 3, 6: 10, 10: 12, 12: 12, 18: 28, 26: 1, ...group(codePoint), 38: 1 })],
    ['glyf', table(4, {})],
    ['head', table(54, { 0: 1, 4: 1, 12: 0x5f0f, 14: 0x3cf5, 16: 3, 18: unitsPerEm, 46: 8, 48: 2 })],
    ['hhea', table(36, { 0: 1, 4: 800, 6: -200, 10: 500, 34: 1 })],
    ['hmtx', table(6, { 0: 500 })],
    ['loca', table(6, {})],
    ['maxp', table(32, { 0: 1, 4: 2, 14: 2 })],
    ['name', nameTable(name)],
    ['post', table(32, { 0: 3 })],
  ] as const
  const directory = table(12 + 16 * tables.length, { 0: 1, 4: tables.length, 6: 128, 8: 3, 10: 32 })
  const parts = [directory]
  let offset = directory.length
  for (const [index, [tag, bytes]] of tables.entries()) {
    const padded = Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4)
    const entry = 12 + 16 * index
    directory.write(tag, entry, 'latin1')
    directory.writeUInt32BE(checksum(padded), entry + 4)
    directory.writeUInt32BE(offset, entry + 8)
    directory.writeUInt32BE(bytes.length, entry + 12)
    parts.push(padded)
    offset += padded.length
  }
  return Buffer.concat(parts)
}

const unitsPerEm = 1000

/** With the PostScript name alone, for Windows in English. */
function nameTable(name: string): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16()
  return Buffer.concat([table(18, { 2: 1, 4: 18, 6: 3, 8: 1, 10: 0x409, 12: 6, 14: text.length }), text])
}

/** Bytes of a length, zero except for 16-bit numbers at some offsets. */
function table(length: number, numbers: Readonly<Record<number, number>>): Buffer {
  const bytes = Buffer.alloc(length)
  for (const [offset, number] of Object.entries(numbers)) bytes.writeUInt16BE(number & 0xffff, Number(offset))
  return bytes
}

/** The first and the last character of a group, at their offsets in `cmap`. */
function group(codePoint: number): Record<number, number> {
  const [high, low] = [codePoint >>> 16, codePoint & 0xffff]
  return { 28: high, 30: low, 32: high, 34: low }
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (let offset = 0; offset < bytes.length; offset += 4) sum = (sum + bytes.readUInt32BE(offset)) >>> 0
  return sum
}
