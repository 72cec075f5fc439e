import { createContext, useContext } from 'react'
import type { Definition, Path } from '../definition/definition.ts'
import { type Mistake, mistakeAt } from '../definition/mistakes.ts'

/** What the inputs of the designer share. */
export interface Design {
  readonly definition: Definition
  /** Names that are stored: of the entity, and of its fields. */
  readonly storedName: string | undefined
  readonly storedFields: ReadonlySet<string>
  readonly mistakes: readonly Mistake[]
  readonly isReadOnly: boolean
  /** Changes the part at a path. What was wrong there is forgotten, everywhere if parts have moved. */
  readonly change: (path: Path | 'moved', update: (definition: Definition) => Definition) => void
}

export const DesignContext = createContext<Design | undefined>(undefined)

/** The design that an input is part of. */
export function useDesign(): Design {
  const design = useContext(DesignContext)
  if (design === undefined) throw new Error('There is no design here.')
  return design
}

/** What the gateway finds wrong exactly at a path. */
export function useMistake(path: Path): string | undefined {
  return mistakeAt(useDesign().mistakes, path)
}
