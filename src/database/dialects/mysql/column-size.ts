import type { ColumnSize } from '../../database-schema.ts'
import { type CatalogueType, characterSetOf } from './types.ts'

/** The bits of whole numbers. */
const bitsOf: Readonly<Record<string, number>> = { tinyint: 8, smallint: 16, mediumint: 24, int: 32 }

/** The most bytes of the types that have a fixed limit, below what a request may hold. */
const bytesOf: Readonly<Record<string, number>> = {
  tinytext: 255,
  text: 65_535,
  tinyblob: 255,
  blob: 65_535,
}

/** What a declaration takes: https://mariadb.com/kb/en/data-types/ */
export function sizeOf({ dataType, columnType, collation }: CatalogueType): ColumnSize | undefined {
  const name = dataType.toLowerCase()
  const [first, second] = /^\w+\((\d+)(?:,(\d+))?\)/.exec(columnType)?.slice(1).map(toNumber) ?? []
  switch (name) {
    case 'char':
    case 'varchar':
      return first === undefined ? undefined : { characters: first }
    case 'tinytext':
    case 'text':
      // Texts are sent in UTF-8; other character sets take other numbers of bytes.
      return collation !== null && /^utf8/.test(characterSetOf(collation)) ? blobOf(name) : undefined
    case 'tinyblob':
    case 'blob':
      return blobOf(name)
    case 'binary':
      return first === undefined ? undefined : { bytes: [first, first] }
    case 'varbinary':
      return first === undefined ? undefined : { bytes: [0, first] }
    case 'decimal':
    case 'float':
    case 'double':
      return first === undefined || second === undefined ? undefined : { digits: [first - second, second] }
    case 'datetime':
    case 'timestamp':
    case 'time':
      return { secondDigits: first ?? 0 }
    case 'year':
      return { range: [1901, 2155] }
    case 'bit':
      return first === undefined || first > 53 ? undefined : { range: [0, 2 ** first - 1] }
    default: {
      const bits = bitsOf[name]
      return bits === undefined ? undefined : { range: rangeOf(bits, / unsigned/.test(columnType)) }
    }
  }
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function blobOf(name: string): ColumnSize | undefined {
  const most = bytesOf[name]
  return most === undefined ? undefined : { bytes: [0, most] }
}

function rangeOf(bits: number, isUnsigned: boolean): readonly [number, number] {
  const half = 2 ** (bits - 1)
  return isUnsigned ? [0, 2 * half - 1] : [-half, half - 1]
}
