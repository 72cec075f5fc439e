import type { LoadedLevel } from '../../query/levels/loaded-level.ts'
import { assertNever } from '../../util/assert-never.ts'
import type { ChangesMember, ObjectShape, ResultShape } from '../planning/operation-plan.ts'
import type { FieldPlace, ResponseOutput } from './response-output.ts'
import { ObjectWriter } from './write-response.ts'

/** Writes what a mutation shows of the records that it wrote: one page of a level for each. */
export class ResultWriter {
  readonly #write: WriteRecords

  /** `key` is that of the field in the response. */
  constructor(result: ResultShape, key: string) {
    this.#write = writeOf(result, [key])
  }

  async write(to: ResponseOutput, level: LoadedLevel): Promise<void> {
    await this.#write(to, level)
  }
}

type WriteRecords = (to: ResponseOutput, level: LoadedLevel) => Promise<void>

function writeOf(result: ResultShape, path: FieldPlace['path']): WriteRecords {
  switch (result.kind) {
    case 'one': {
      const object = new ObjectWriter(result.object, path)
      return async (to, level) => object.writePage(to, level.pages[0], level)
    }
    case 'list':
      return listOf(result.object, path)
    case 'changes': {
      const members = result.members.map(({ key, shape }) => ({
        key,
        write: memberOf(shape, [...path, key]),
      }))
      return async (to, level) => {
        for (const [index, { key, write }] of members.entries()) {
          to.bytes.write(`${index === 0 ? '{' : ','}"${key}":`)
          await write(to, level)
        }
        to.bytes.write('}')
      }
    }
    default:
      return assertNever(result)
  }
}

function memberOf(shape: ChangesMember, path: FieldPlace['path']): WriteRecords {
  switch (shape.kind) {
    case 'typeName':
      return async (to) => to.bytes.write(`"${shape.name}"`)
    case 'count':
      return async (to, level) => to.bytes.write(String(level.pages.length))
    case 'records':
      return listOf(shape.object, path)
    default:
      return assertNever(shape)
  }
}

function listOf(shape: ObjectShape, path: FieldPlace['path']): WriteRecords {
  const object = new ObjectWriter(shape, [...path, null])
  return async (to, level) => {
    to.startList(0)
    for (const [index, { rows, start, count, firstRow }] of level.pages.entries()) {
      if (index > 0) to.bytes.write(',')
      if (to.isFull) {
        if (to.reached !== undefined) throw to.reached
        await to.pause()
      }
      to.nextRow(0)
      if (count === 0) to.bytes.write('null')
      else await object.write(to, rows, start, firstRow, level)
    }
    to.bytes.write(']')
  }
}
