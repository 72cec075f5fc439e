/** How values come out of the text that the server sends: the form that rows have on every product. */
import type { CustomTypesConfig } from 'pg'

type ReadText = (text: string) => unknown

const asTruth: ReadText = (text) => (text === 't' ? 1 : 0)
const asBytes: ReadText = (text) => Buffer.from(text.slice(2), 'hex')
/** What is no finite number stays the text that the server has for it. */
const asNumber: ReadText = (text) => {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
const asText: ReadText = (text) => text

/** By the numbers of `pg_type`: boolean, bytea, the integers of at most 32 bits, the floating-point types. */
const readers: ReadonlyMap<number, ReadText> = new Map([
  [16, asTruth],
  [17, asBytes],
  [21, asNumber],
  [23, asNumber],
  [700, asNumber],
  [701, asNumber],
])

/** Everything else is a text: 64-bit integers and decimals lose no digit, dates no microsecond. */
export const rowTypes = {
  getTypeParser: ((oid: number) => readers.get(oid) ?? asText) as CustomTypesConfig['getTypeParser'],
} satisfies CustomTypesConfig
