import { describe, expect, test } from 'vitest'
import { fc } from '../../../../test/support/fast-check.ts'
import { listOf } from '../../row-set.ts'
import { MessageSplitter } from './message-splitter.ts'
import { kindsOf, PackedAnswer } from './packed-answer.ts'

type Cell = string | null

interface PlainAnswer {
  /** Whether somebody wants the rows as bytes. */
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

const textColumns = (count: number) => kindsOf(Array.from({ length: count }, () => 25))

function sent(all: readonly PlainAnswer[]): Buffer {
  return Buffer.concat(all.flatMap(({ rows }) => [bindComplete, ...rows.map(rowMessage), ...ending]))
}

function read(all: readonly PlainAnswer[], pieces: readonly Buffer[]) {
  const others: Buffer[] = []
  const splitter = new MessageSplitter((bytes) => others.push(Buffer.from(bytes)))
  const sinks = all.map(({ isWanted }) => (isWanted ? new PackedAnswer() : undefined))
  for (const sink of sinks) splitter.expect(sink)
  for (const piece of pieces) splitter.read(piece)
  return { others: Buffer.concat(others), sinks }
}

describe('what a server sends', () => {
  test('is parted in the same way wherever it is cut', () => {
    fc.assert(
      fc.property(answers, cuts, (all, shares) => {
        const { others, sinks } = read(all, inPieces(sent(all), shares))
        const expected = all.flatMap(({ isWanted, rows }) => [
          bindComplete,
          ...(isWanted ? [] : rows.map(rowMessage)),
          ...ending,
        ])
        expect(others.equals(Buffer.concat(expected))).toBe(true)
        for (const [index, { columns, rows }] of all.entries()) {
          const sink = sinks[index]
          if (sink !== undefined) expect(listOf(sink.rows(textColumns(columns)))).toEqual(rows)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('is refused, or gives the rows that are whole, when it is cut off', () => {
    fc.assert(
      fc.property(answers, cuts, fc.double({ min: 0, max: 1, noNaN: true }), (all, shares, share) => {
        const bytes = sent(all)
        const { sinks } = read(all, inPieces(bytes.subarray(0, Math.floor(share * bytes.length)), shares))
        for (const [index, { columns, rows }] of all.entries()) {
          const found = attempt(() => listOf(sinks[index]?.rows(textColumns(columns)) ?? noAnswer))
          if (found !== undefined) expect(rows.slice(0, found.length)).toEqual(found)
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
        const result = attempt(() => read(all, inPieces(bytes, shares)))
        for (const [index, { columns }] of all.entries()) {
          const found = attempt(() => listOf(result?.sinks[index]?.rows(textColumns(columns)) ?? noAnswer))
          for (const row of found ?? []) expect(row).toHaveLength(columns)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('of a length that no message has is refused', () => {
    const splitter = new MessageSplitter(() => undefined)
    expect(() => splitter.read(Buffer.from([0x44, 0, 0, 0, 3, 0]))).toThrow('without a length')
    expect(() => new MessageSplitter(() => undefined).read(Buffer.from([0x44, 0x7f, 0, 0, 0]))).toThrow()
  })
})

const noAnswer = new PackedAnswer().rows(textColumns(0))

/** What work gives; undefined where it throws an error that says what is wrong. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toMatch(/^The server sent /)
    return undefined
  }
}
