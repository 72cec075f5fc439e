/** How the text that the server sends for a value is decoded: shared by rows as bytes and rows as values. */
import type { CustomTypesConfig } from 'pg'
import { type PackedKind, packedKinds, packedNumber } from '../../row-set.ts'
import type { SqlValue } from '../../sql-value.ts'

/** The numbers of `pg_type`: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const types = { boolean: 16, bytes: 17, int2: 21, int4: 23, float4: 700, float8: 701 } as const

/** Any other type is a text: 64-bit integers and decimals lose no digit, dates no microsecond. */
const kinds: ReadonlyMap<number, PackedKind> = new Map([
  [types.boolean, packedKinds.number],
  [types.bytes, packedKinds.bytes],
  [types.int2, packedKinds.number],
  [types.int4, packedKinds.number],
  [types.float4, packedKinds.number],
  [types.float8, packedKinds.number],
])

/** The columns of a result, as packed rows have them. */
export interface ResultColumns {
  readonly kinds: Uint8Array
  /** The positions of the columns whose bytes become others: `t` and `f`, and bytes in hexadecimal. */
  readonly booleans: readonly number[]
  readonly hexadecimals: readonly number[]
}

/** Columns with these types. */
export function columnsOf(typeNumbers: readonly number[]): ResultColumns {
  const positionsOf = (wanted: number) =>
    typeNumbers.flatMap((typeNumber, position) => (typeNumber === wanted ? [position] : []))
  return {
    kinds: Uint8Array.from(typeNumbers, (typeNumber) => kinds.get(typeNumber) ?? packedKinds.text),
    booleans: positionsOf(types.boolean),
    hexadecimals: positionsOf(types.bytes),
  }
}

const letterT = 0x74
const digit0 = 0x30
const digit1 = 0x31

/**
 * Replaces, in place, the server's texts of booleans by `1` and `0`, and bytes in hexadecimal by the bytes themselves.
 * `offsets` are those of packed rows.
 */
export function decodeInPlace(bytes: Buffer, offsets: Int32Array, columns: ResultColumns): void {
  const step = columns.kinds.length * 2
  for (const column of columns.booleans) {
    for (let slot = column * 2; slot < offsets.length; slot += step) {
      const start = offsets[slot] as number
      if (start >= 0) bytes[start] = bytes[start] === letterT ? digit1 : digit0
    }
  }
  for (const column of columns.hexadecimals) {
    for (let slot = column * 2; slot < offsets.length; slot += step) {
      const start = offsets[slot] as number
      if (start < 0) continue
      const end = offsets[slot + 1] as number
      offsets[slot + 1] = start + bytes.write(bytes.toString('latin1', start + hexPrefix, end), start, 'hex')
    }
  }
}

/** `\x` */
const hexPrefix = 2

/** The same for rows that `pg` decodes. */
export const valueTypes = {
  getTypeParser: ((typeNumber: number): ((text: string) => SqlValue) => {
    if (typeNumber === types.boolean) return (text) => (text === 't' ? 1 : 0)
    if (typeNumber === types.bytes) return (text) => Buffer.from(text.slice(hexPrefix), 'hex')
    return kinds.get(typeNumber) === packedKinds.number ? packedNumber : (text) => text
  }) as CustomTypesConfig['getTypeParser'],
} satisfies CustomTypesConfig
