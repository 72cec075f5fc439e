import type { LoadedLevel } from '../../query/levels/loaded-level.ts'
import { assertNever } from '../../util/assert-never.ts'
import type { ChangesMember, ObjectShape, ResultShape } from '../planning/operation-plan.ts'
import type { ResponseOutput } from './response-output.ts'
import { ObjectWriter } from './write-response.ts'

/** Writes what a mutation shows of the records that it wrote: one page of a level for each. */
export class ResultWriter {
  readonly #write: WriteRecords

  constructor(result: ResultShape) {
    this.#write = writeOf(result)
  }

  async write(to: ResponseOutput, level: LoadedLevel): Promise<void> {
    await this.#write(to, level)
  }
}

type WriteRecords = (to: ResponseOutput, level: LoadedLevel) => Promise<void>

function writeOf(result: ResultShape): WriteRecords {
  switch (result.kind) {
    case 'one': {
      const object = new ObjectWriter(result.object)
      return async (to, level) => object.writePage(to, level.pages[0], level)
    }
    case 'list':
      return listOf(result.object)
    case 'changes': {
      const members = result.members.map(({ key, shape }) => ({ key, write: memberOf(shape) }))
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

function memberOf(shape: ChangesMember): WriteRecords {
  switch (shape.kind) {
    case 'typeName':
      return async (to) => to.bytes.write(`"${shape.name}"`)
    case 'count':
      return async (to, level) => to.bytes.write(String(level.pages.length))
    case 'records':
      return listOf(shape.object)
    default:
      return assertNever(shape)
  }
}

function listOf(shape: ObjectShape): WriteRecords {
  const object = new ObjectWriter(shape)
  return async (to, level) => {
    to.bytes.write('[')
    for (const [index, page] of level.pages.entries()) {
      if (index > 0) to.bytes.write(',')
      if (to.isFull) {
        if (to.reached !== undefined) throw to.reached
        await to.pause()
      }
      await object.writePage(to, page, level)
    }
    to.bytes.write(']')
  }
}
