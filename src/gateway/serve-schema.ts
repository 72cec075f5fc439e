import { performance } from 'node:perf_hooks'
import type { CatalogMark } from '../database/catalog-mark.ts'
import { describeTableKey, tableKeyOf } from '../database/table-names.ts'
import type { Observer } from '../observe/events.ts'
import type { Clock } from '../util/clock.ts'
import { Reloadable } from '../util/reloadable.ts'
import { shareRuns } from '../util/share-runs.ts'
import { isSame, type SchemaDifference, schemaDifference } from './schema-difference.ts'
import type { SchemaReading, ServedSchema } from './served-schema.ts'

/** Where the schema comes from. */
export interface SchemaSource {
  /** Reads the tables and derives everything from them. */
  read(): Promise<SchemaReading>
  /** Checks whether the tables have changed since another look. */
  look(before?: CatalogMark): Promise<CatalogMark>
  /** Told when tables may have changed, before a new schema is served. */
  tablesChanged(): void
}

/** The served schema, and how to follow changes. */
export interface SchemaService {
  current(): ServedSchema
  /** When the served schema was read. */
  readAt(): Date
  /**
   * Resolves when the served schema was read after this call. A failed reading keeps the old schema, is reported to the
   * observer, and is retried with growing pauses.
   */
  changed(): Promise<void>
  /** Reads the schema, and returns the difference. If that fails it throws, and the old schema stays. */
  reload(): Promise<SchemaDifference>
  /**
   * Reads the schema if the catalogue has changed; returns whether it has. The catalogue is looked at after this call, once for all
   * concurrent ones.
   */
  look(): Promise<boolean>
}

const pauses = { first: 100, longest: 30_000 }
/** How many items of a list an event has. */
const toldAtMost = 50

/** Reads the schema, and again whenever it has changed. */
export async function serveSchema(
  source: SchemaSource,
  observe: Observer,
  now: Clock,
): Promise<SchemaService> {
  let readAt = now()
  let version = 0
  let served: ServedSchema | undefined
  let mark: CatalogMark | undefined
  /** Seen by a look that found a change. */
  let seen: CatalogMark | undefined

  const schema = await Reloadable.start(async () => {
    const start = performance.now()
    try {
      // Before the tables are read: later changes are found by the next look.
      const looked = seen ?? (await source.look(mark))
      seen = undefined
      const reading = await source.read()
      await tellReading(reading, served, observe)
      // Nothing is awaited from here on: no request runs between this and the new schema.
      if (served !== undefined) source.tablesChanged()
      version += 1
      const tables = reading.served.snapshot.model.entities.size
      observe({ kind: 'SchemaReloaded', version, tables, milliseconds: performance.now() - start })
      mark = looked
      readAt = now()
      served = reading.served
      return served
    } catch (error) {
      observe({ kind: 'SchemaReloadFailed', error })
      throw error
    }
  })

  let retry: NodeJS.Timeout | undefined
  function reloadAfter(pause: number): void {
    if (retry !== undefined) return
    retry = setTimeout(() => {
      retry = undefined
      schema.reload().catch(() => reloadAfter(Math.min(pause * 2, pauses.longest)))
    }, pause).unref()
  }

  const look = shareRuns(async () => {
    const known = mark
    const found = await source.look(known)
    // Another reading has come in between.
    if (known !== mark) return true
    if (found.text === known?.text) {
      mark = found
      return false
    }
    seen = found
    await schema.reload()
    return true
  })

  return {
    current: () => schema.current(),
    readAt: () => readAt,
    changed: () =>
      schema.reload().then(
        () => undefined,
        () => reloadAfter(pauses.first),
      ),
    async reload() {
      const before = schema.current()
      return schemaDifference(before, await schema.reload())
    },
    look,
  }
}

/** Reports what is new in a reading. */
async function tellReading(
  { served, longerNames }: SchemaReading,
  before: ServedSchema | undefined,
  observe: Observer,
): Promise<void> {
  const { leftOut } = served.snapshot.databaseSchema
  const known = new Set(before?.snapshot.databaseSchema.leftOut.map(({ what }) => what))
  for (const { what, reason } of leftOut) if (!known.has(what)) observe({ kind: 'LeftOut', what, reason })
  for (const { table, wanted, name } of longerNames) {
    observe({ kind: 'LongerNameGiven', table: describeTableKey(tableKeyOf(table)), wanted, name })
  }
  const unused = new Set(before && unusedNames(before))
  for (const reason of unusedNames(served)) if (!unused.has(reason)) observe({ kind: 'NameNotUsed', reason })
  if (before === undefined || before.version.hash === served.version.hash) return
  const difference = await schemaDifference(before, served)
  if (isSame(difference)) return
  const { appeared, vanished, changed } = difference
  observe({ kind: 'SchemaChanged', appeared: cut(appeared), vanished: cut(vanished), changed: cut(changed) })
}

/** Why chosen names are not used. */
function unusedNames({ snapshot: { model } }: ServedSchema): readonly string[] {
  return [...model.unusedNames, ...model.refusedNames.map(({ detail }) => detail)]
}

function cut(list: readonly string[]): readonly string[] {
  const more = list.length - toldAtMost
  return more <= 0 ? list : [...list.slice(0, toldAtMost), `and ${more} more`]
}
