/** How the text that the server sends for a value is decoded: shared by rows as bytes and rows as values. */
import type { CustomTypesConfig } from 'pg'
import { type PackedKind, packedKinds, valueOfText } from '../../row-set.ts'

/**
 * By the numbers of `pg_type`: boolean, bytea, integers of at most 32 bits, floating-point types. Everything else is a
 * text: 64-bit integers and decimals lose no digit, dates no microsecond.
 */
const kinds: ReadonlyMap<number, PackedKind> = new Map([
  [16, packedKinds.truth],
  [17, packedKinds.hexadecimal],
  [21, packedKinds.number],
  [23, packedKinds.number],
  [700, packedKinds.number],
  [701, packedKinds.number],
])

function kindOf(typeNumber: number): PackedKind {
  return kinds.get(typeNumber) ?? packedKinds.text
}

/** The kinds of columns with these types. */
export function kindsOf(typeNumbers: readonly number[]): Uint8Array {
  return Uint8Array.from(typeNumbers, kindOf)
}

/** The same for rows that `pg` decodes. */
export const valueTypes = {
  getTypeParser: ((typeNumber: number) => {
    const kind = kindOf(typeNumber)
    return (text: string) => valueOfText(text, kind)
  }) as CustomTypesConfig['getTypeParser'],
} satisfies CustomTypesConfig
