import { expect, test } from 'vitest'
import { NoAnswer } from '../../../../browser/refusal.ts'
import { type KeptImport, keepImport, keptImportOf, readKeptImports } from './kept-import.ts'

/** A storage that holds texts up to a length. */
function storage(longest: number) {
  const items = new Map<string, string>()
  return {
    get length() {
      return items.size
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, text: string) {
      if (text.length > longest) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, text)
    },
    removeItem: (key: string) => void items.delete(key),
  }
}

const unfinished: KeptImport = {
  id: 'i1',
  file: new File(['id\n1\n2\n'], 'a.csv'),
  form: { format: 'csv', encoding: 'utf-8', delimiter: ',', hasHeader: true },
  choice: { matches: { id: 'id' }, empty: 'null', mode: 'row' },
  report: {
    imported: 500,
    done: 501,
    refused: [{ position: 3, reasons: ['x'.repeat(1000)] }],
    unanswered: {
      positions: [502],
      last: 502,
      sentAt: 1_800_000_000_000,
      error: new NoAnswer('There was no response.'),
    },
  },
}

test('an unfinished import is kept with all that it takes to go on', () => {
  const items = storage(10_000)
  keepImport('one/', unfinished, items)
  keepImport('one/', { ...unfinished, id: 'i0' }, items)
  const { report } = unfinished
  const kept = {
    ...unfinished,
    file: { name: 'a.csv', size: 7 },
    report: { ...report, unanswered: { ...report.unanswered, error: 'There was no response.' } },
  }
  expect(readKeptImports('one/', items)).toEqual([{ ...kept, id: 'i0' }, kept])
  expect(readKeptImports('other/', items)).toEqual([])
})

test('if the storage is too small, what keeps rows from being sent twice is kept alone', () => {
  const items = storage(1000)
  keepImport('one/', unfinished, items)
  const [kept] = readKeptImports('one/', items)
  expect([kept?.id, kept?.report.done, kept?.report.refused]).toEqual(['i1', 501, []])
  const tiny = storage(10)
  keepImport('one/', unfinished, tiny)
  expect(readKeptImports('one/', tiny)).toEqual([])
})

test('an import goes on with the file that it began with', () => {
  const kept = [unfinished]
  expect(keptImportOf(kept, new File(['id\n1\n2\n'], 'a.csv'))).toBe(unfinished)
  expect(keptImportOf(kept, new File(['id\n1\n22\n'], 'a.csv'))).toBeUndefined()
  expect(keptImportOf(kept, new File(['id\n1\n2\n'], 'b.csv'))).toBeUndefined()
})
