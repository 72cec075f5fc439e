import { useQueries } from '@tanstack/react-query'
import { type Field, type Table, tableQuery } from './tables.ts'

/** How many references of a table are followed. */
const mostReferences = 20

/** What filters of a table may name: its fields, and those of the records that its references lead to, as `tenant.name`. */
export function useFilterFields({ fields, references }: Table): readonly Field[] {
  const followed = references.slice(0, mostReferences)
  return useQueries({
    queries: followed.map(({ table }) => tableQuery(table)),
    // A table that who is logged in may not read, or that is not read yet, offers nothing.
    combine: (results) => [
      ...fields,
      ...results.flatMap(({ data }, index) =>
        (data?.fields ?? []).map((field) => ({ ...field, name: `${followed[index]?.name}.${field.name}` })),
      ),
    ],
  })
}
