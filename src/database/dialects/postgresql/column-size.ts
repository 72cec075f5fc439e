import type { ColumnSize } from '../../database-schema.ts'

/**
 * What a declaration takes; of an array, each of its items. `modifier` is `atttypmod`, -1 if there is none; of a number, its lower 11 bits are the scale,
 * which may be negative: https://www.postgresql.org/docs/current/datatype-numeric.html
 */
export function sizeOf(declared: string, modifier: number): ColumnSize | undefined {
  const typeName = declared.replace(/(?:\[\])+$/, '')
  if (typeName === 'smallint') return { range: [-32_768, 32_767] }
  if (typeName === 'name') return { bytes: [0, 63] }
  if (typeName === '"char"') return { bytes: [0, 1] }
  if (modifier < 0) return undefined
  switch (typeName) {
    case 'character':
    case 'character varying':
      return { characters: modifier - headerLength }
    case 'numeric': {
      const bits = modifier - headerLength
      const scale = ((bits & 0x7ff) ^ 0x400) - 0x400
      return { digits: [((bits >> 16) & 0xffff) - scale, scale] }
    }
    case 'timestamp without time zone':
    case 'timestamp with time zone':
    case 'time without time zone':
    case 'time with time zone':
      return { secondDigits: modifier }
    default:
      return undefined
  }
}

/** Modifiers of texts and numbers count the header of a value. */
const headerLength = 4
