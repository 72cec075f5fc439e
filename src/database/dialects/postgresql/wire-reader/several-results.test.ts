import pg from 'pg'
import { expect, test } from 'vitest'
import { isUndone } from '../error.ts'
import { columnsOf } from '../value-types.ts'
import { PackedResult, type QueryResult } from './packed-result.ts'
import { SeveralResults } from './several-results.ts'

function message(type: string, ...texts: readonly string[]): Buffer {
  const body = Buffer.from(texts.map((text) => `${text}\0`).join(''))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const changed = message('C', 'UPDATE 1')
const ready = Buffer.concat([message('Z'), Buffer.from('I')])
const refusal = (severity: string, code: string) =>
  message('E', `S${severity}`, `V${severity}`, `C${code}`, 'Mno', '')

/** What becomes of two statements: the numbers of their rows, or the error. */
function outcome(bytes: Buffer, isLost = false): readonly number[] | Error {
  const found: QueryResult[] = []
  let failure: Error | undefined
  const results = [0, 1].map(
    (index) =>
      new PackedResult(
        { isPrepared: true, columns: columnsOf([]) },
        (result) => {
          found[index] = result
        },
        (error) => {
          failure ??= error
        },
      ),
  )
  let told: Error | undefined
  const several = new SeveralResults(results, (error) => {
    told = failure ?? error
  })
  for (const byte of bytes) several.add(Buffer.from([byte]))
  if (isLost) several.lose(new Error('lost'))
  else several.end()
  return told ?? found.map(({ count }) => count)
}

test('results are those of the commit', () => {
  expect(outcome(Buffer.concat([changed, changed, ready]))).toEqual([1, 1])
})

test.each([
  ['a statement is refused', [changed, refusal('ERROR', '23505'), ready], true],
  ['the commit is refused', [changed, changed, refusal('ERROR', '23505'), ready], true],
  ['the server ends before a statement is done', [changed, refusal('FATAL', '57P01')], true],
  ['the server ends while it may commit', [changed, changed, refusal('FATAL', '57P01')], false],
  ['the connection is lost before the commit is told', [changed, changed], false],
  ['the connection is lost', [changed], false],
] as const)('%s', (_, messages, undone) => {
  const isLost = !messages.includes(ready)
  const error = outcome(Buffer.concat(messages), isLost)
  expect(error).toBeInstanceOf(Error)
  expect(error instanceof pg.DatabaseError).toBe(undone)
  expect(isUndone(error)).toBe(undone)
})
