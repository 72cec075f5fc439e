import { performance } from 'node:perf_hooks'
import { describeTableKey, tableKeyOf } from '../database/table-names.ts'
import type { Observer } from '../observe/events.ts'
import { Reloadable } from '../util/reloadable.ts'
import type { SchemaReading, ServedSchema } from './served-schema.ts'

/** The schema that is served now, and how to follow a change. */
export interface SchemaService {
  current(): ServedSchema
  /**
   * Done when what is served was read after this call. A reading that fails leaves what was served, is
   * told to the observer, and is tried again with growing pauses until it succeeds.
   */
  changed(): Promise<void>
}

const pauses = { first: 100, longest: 30_000 }

/** Reads the schema, and again whenever it has changed. */
export async function serveSchema(
  read: () => Promise<SchemaReading>,
  observe: Observer,
): Promise<SchemaService> {
  let version = 0
  let told = new Set<string>()
  const tellUnusedNames = ({ snapshot: { model } }: ServedSchema) => {
    const reasons = [...model.unusedNames, ...model.refusedNames.map(({ detail }) => detail)]
    for (const reason of reasons) if (!told.has(reason)) observe({ kind: 'NameNotUsed', reason })
    told = new Set(reasons)
  }
  const schema = await Reloadable.start(async () => {
    const start = performance.now()
    try {
      const { served, longerNames } = await read()
      version += 1
      const tables = served.snapshot.model.entities.size
      observe({ kind: 'SchemaReloaded', version, tables, milliseconds: performance.now() - start })
      for (const { what, reason } of served.snapshot.databaseSchema.leftOut) {
        observe({ kind: 'LeftOut', what, reason })
      }
      for (const { table, wanted, name } of longerNames) {
        observe({ kind: 'LongerNameGiven', table: describeTableKey(tableKeyOf(table)), wanted, name })
      }
      tellUnusedNames(served)
      return served
    } catch (error) {
      observe({ kind: 'SchemaReloadFailed', error })
      throw error
    }
  })

  function reloadAfter(pause: number): void {
    const reload = () => schema.reload().catch(() => reloadAfter(Math.min(pause * 2, pauses.longest)))
    setTimeout(reload, pause).unref()
  }

  return {
    current: () => schema.current(),
    changed: () =>
      schema.reload().then(
        () => undefined,
        () => reloadAfter(pauses.first),
      ),
  }
}
