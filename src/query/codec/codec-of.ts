import type { Column, ColumnType } from '../../database/database-schema.ts'
import type { Codecs, ColumnCodec } from './column-codec.ts'
import { dateCodecs, looseDateCodecs } from './date-codecs.ts'
import { numberCodecs } from './number-codecs.ts'
import { textCodecs } from './text-codecs.ts'

const codecs: Codecs<ColumnType> = { ...textCodecs, ...numberCodecs, ...dateCodecs }
const looseCodecs: Codecs<ColumnType> = { ...codecs, ...looseDateCodecs }

/** The codec of a column. */
export function codecOf({ type, loose }: Pick<Column, 'type' | 'loose'>): ColumnCodec {
  return (loose === undefined ? codecs : looseCodecs)[type]
}
