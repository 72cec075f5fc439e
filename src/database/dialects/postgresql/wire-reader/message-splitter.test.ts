import { describe, expect, test } from 'vitest'
import { fc } from '../../../../../test/support/fast-check.ts'
import { listOf } from '../../../row-set.ts'
import type { Row } from '../../../sql-value.ts'
import { columnsOf } from '../value-types.ts'
import { MessageSplitter } from './message-splitter.ts'
import { PackedResult } from './packed-result.ts'

type Cell = string | null

interface PlainResult {
  /** Whether someone wants the rows as bytes. */
  readonly isWanted: boolean
  readonly columns: number
  readonly rows: readonly (readonly Cell[])[]
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function rowMessage(cells: readonly Cell[]): Buffer {
  const parts = cells.flatMap((cell) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(cell === null ? -1 : Buffer.byteLength(cell))
    return [length, Buffer.from(cell ?? '')]
  })
  const count = Buffer.alloc(2)
  count.writeInt16BE(cells.length)
  return message('D', Buffer.concat([count, ...parts]))
}

const bindComplete = message('2', Buffer.alloc(0))
const ending = [message('C', Buffer.from('SELECT 1\0')), message('Z', Buffer.from('I'))]

const cell = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constant(null))
const answers = fc.array(
  fc.integer({ min: 0, max: 4 }).chain((columns) =>
    fc.record({
      isWanted: fc.boolean(),
      columns: fc.constant(columns),
      rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 6 }),
    }),
  ),
  { maxLength: 5 },
)
/** Where the bytes are cut, as shares of the whole. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 })

function inPieces(bytes: Buffer, shares: readonly number[]): readonly Buffer[] {
  const places = shares.map((share) => Math.floor(share * bytes.length)).toSorted((a, b) => a - b)
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end))
}

const textColumns = (count: number) => columnsOf(Array.from({ length: count }, () => 25))

function sent(all: readonly PlainResult[]): Buffer {
  return Buffer.concat(all.flatMap(({ rows }) => [bindComplete, ...rows.map(rowMessage), ...ending]))
}

/** What became of an answer that someone wants; neither before it has ended. */
interface Outcome {
  rows?: readonly Row[]
  error?: Error
}

function read(all: readonly PlainResult[], pieces: readonly Buffer[]) {
  const others: Buffer[] = []
  const outcomes: Outcome[] = []
  const splitter = new MessageSplitter((bytes) => others.push(Buffer.from(bytes)))
  for (const { isWanted, columns } of all) {
    const outcome: Outcome = {}
    outcomes.push(outcome)
    const answer = new PackedResult(
      { isPrepared: true, columns: textColumns(columns) },
      ({ rows }) => {
        outcome.rows = listOf(rows)
      },
      (error) => {
        outcome.error = error
      },
    )
    splitter.expect(isWanted ? answer : undefined)
  }
  let refusal: unknown
  try {
    for (const piece of pieces) splitter.read(piece)
  } catch (error) {
    refusal = error
  }
  for (const sink of splitter.abandon()) sink.lose(new Error('The connection has ended.'))
  return { others: Buffer.concat(others), outcomes, refusal }
}

describe('what a server sends', () => {
  test('is parted in the same way wherever it is cut', () => {
    fc.assert(
      fc.property(answers, cuts, (all, shares) => {
        const { others, outcomes } = read(all, inPieces(sent(all), shares))
        const expected = all.flatMap(({ isWanted, rows }) =>
          isWanted ? [] : [bindComplete, ...rows.map(rowMessage), ...ending],
        )
        expect(others.equals(Buffer.concat(expected))).toBe(true)
        expect(outcomes).toEqual(all.map(({ isWanted, rows }) => (isWanted ? { rows } : {})))
      }),
      { numRuns: 500 },
    )
  })

  test('is the answer where it is whole, and an error where it is cut off', () => {
    fc.assert(
      fc.property(answers, cuts, fc.double({ min: 0, max: 1, noNaN: true }), (all, shares, share) => {
        const bytes = sent(all)
        const length = Math.floor(share * bytes.length)
        const { outcomes } = read(all, inPieces(bytes.subarray(0, length), shares))
        for (const [index, { isWanted, rows }] of all.entries()) {
          const isWhole = sent(all.slice(0, index + 1)).length <= length
          if (!isWanted) expect(outcomes[index]).toEqual({})
          else if (isWhole) expect(outcomes[index]).toEqual({ rows })
          else expect(outcomes[index]?.error?.message).toBe('The connection has ended.')
        }
      }),
      { numRuns: 500 },
    )
  })

  test('never gives rows of another form when some of its bytes are wrong', () => {
    const changes = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 })),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    fc.assert(
      fc.property(answers, cuts, changes, (all, shares, changed) => {
        const bytes = Buffer.from(sent(all))
        for (const [share, byte] of changed) bytes[Math.floor(share * (bytes.length - 1))] = byte
        const { outcomes, refusal } = read(all, inPieces(bytes, shares))
        if (refusal !== undefined) expect(String(refusal)).toMatch(/^Error: The server sent /)
        for (const [index, { isWanted }] of all.entries()) {
          const { rows, error } = outcomes[index] ?? {}
          expect([rows, error].filter((one) => one !== undefined)).toHaveLength(isWanted ? 1 : 0)
          const described = bytes.includes('T') || rows === undefined ? [] : rows
          for (const row of described) expect(row).toHaveLength(all[index]?.columns ?? 0)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is passed on where no one has asked for it', () => {
    const notice = message('N', Buffer.from('SNOTICE\0\0'))
    const all = [{ isWanted: true, columns: 1, rows: [['a'], ['b']] }]
    const bytes = Buffer.concat([
      notice,
      bindComplete,
      notice,
      rowMessage(['a']),
      notice,
      rowMessage(['b']),
      ...ending,
      notice,
    ])
    const { others, outcomes } = read(all, [bytes])
    expect(outcomes).toEqual([{ rows: [['a'], ['b']] }])
    expect(others.equals(Buffer.concat([notice, notice, notice, notice]))).toBe(true)
  })

  test("is the server's error where it sent one, also when nothing comes behind it", () => {
    const fields = ['SFEHLER', 'VERROR', 'C42P01', 'Mrelation "Gone" does not exist', 'cname', '', '']
    const error = message('E', Buffer.from(fields.join('\0')))
    const wanted = { isWanted: true, columns: 1, rows: [] }
    const ended = read([wanted], [Buffer.concat([error, message('Z', Buffer.from('I'))])])
    const lost = read([wanted], [error])
    for (const { outcomes } of [ended, lost]) {
      expect(outcomes[0]?.error).toMatchObject({
        message: 'relation "Gone" does not exist',
        severity: 'ERROR',
        code: '42P01',
        column: 'name',
      })
    }
  })

  test('of a length that no message has is refused', () => {
    const splitter = new MessageSplitter(() => undefined)
    expect(() => splitter.read(Buffer.from([0x44, 0, 0, 0, 3, 0]))).toThrow('without a length')
    expect(() => new MessageSplitter(() => undefined).read(Buffer.from([0x44, 0x7f, 0, 0, 0]))).toThrow()
  })
})
