/** Imports that did not come to their end, kept in this browser: a session, a tab, or the gateway may end in the middle. */
import { useState } from 'react'
import { useSession } from '../../shell/session-gate.tsx'
import type { ImportChoice } from './import-plan.tsx'
import type { ImportReport } from './run-import.ts'
import type { SourceForm } from './source-file.ts'

/** What is needed to go on once the same file is chosen again. */
export interface KeptImport {
  /** The id of the import. */
  readonly id: string
  readonly file: Pick<File, 'name' | 'size'>
  readonly form: SourceForm
  readonly choice: ImportChoice
  readonly report: ImportReport
}

export interface ImportKeeper {
  /** What was kept before. */
  readonly kept: readonly KeptImport[]
  readonly keep: (unfinished: KeptImport) => void
  readonly forget: (id: string) => void
}

/** The imports into a table that an account has not finished. */
export function useKeptImports(table: string): ImportKeeper {
  const { account } = useSession()
  const prefix = `gatehouse.console.import.${account.name}.${table}/`
  const [items] = useState(browserItems)
  const [kept, setKept] = useState(() => readKeptImports(prefix, items))
  return {
    kept,
    keep: (unfinished) => keepImport(prefix, unfinished, items),
    forget(id) {
      items.removeItem(prefix + id)
      setKept(readKeptImports(prefix, items))
    },
  }
}

type Items = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** The storage of this browser; one that keeps nothing if it is turned off. */
function browserItems(): Items {
  try {
    return localStorage
  } catch {
    return { length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {} }
  }
}

export function keepImport(prefix: string, unfinished: KeptImport, items: Items): void {
  const { id, file, report } = unfinished
  const { unanswered } = report
  // Neither a file nor an error is JSON.
  const { name, size } = file
  const error = unanswered?.error instanceof Error ? unanswered.error.message : unanswered?.error
  const plain = { ...report, ...(unanswered === undefined ? {} : { unanswered: { ...unanswered, error } }) }
  for (const refused of [plain.refused, []]) {
    try {
      items.setItem(
        prefix + id,
        JSON.stringify({ ...unfinished, file: { name, size }, report: { ...plain, refused } }),
      )
      return
    } catch {
      // The storage of the browser is full, or turned off. Rows may be there twice without the id, but not without reasons.
      items.removeItem(prefix + id)
    }
  }
}

export function readKeptImports(prefix: string, items: Items): readonly KeptImport[] {
  try {
    const keys = Array.from({ length: items.length }, (_, index) => items.key(index) ?? '')
    const own = keys.filter((key) => key.startsWith(prefix)).toSorted()
    return own.map((key) => JSON.parse(items.getItem(key) ?? '') as KeptImport)
  } catch {
    return []
  }
}

/** The kept import of a file, as far as a browser tells. */
export function keptImportOf(
  kept: readonly KeptImport[],
  { name, size }: Pick<File, 'name' | 'size'>,
): KeptImport | undefined {
  return kept.find(({ file }) => file.name === name && file.size === size)
}
