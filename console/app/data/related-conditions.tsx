import { Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryContent } from '../components/query-content.tsx'
import type { FilterTable } from './filter-path.ts'
import { type Relation, tableQuery } from './tables.ts'

interface RelatedConditionsProps {
  /** Undefined if it is not known: then what was written can be changed, and nothing is offered. */
  readonly relation: Relation | undefined
  /** What the rows that count are, with the conditions that they meet. */
  readonly children: (table: FilterTable) => ReactNode
}

const unknownTable: FilterTable = { fields: [], references: [], collections: [] }

/** The frame of conditions on related rows; reads their table. */
export function RelatedConditions({ relation, children }: RelatedConditionsProps) {
  const { t } = useTranslation('data')
  return (
    <Paper withBorder p="xs" component="fieldset" w="100%" m={0} miw={0}>
      <Text component="legend" size="xs" fw={600} px={4}>
        {relation === undefined ? t('filters.related') : t('filters.rowsOf', { table: relation.table })}
      </Text>
      {relation === undefined ? children(unknownTable) : <OfTable name={relation.table}>{children}</OfTable>}
    </Paper>
  )
}

function OfTable({ name, children }: { readonly name: string } & Pick<RelatedConditionsProps, 'children'>) {
  const query = useQuery(tableQuery(name))
  return <QueryContent query={query}>{children}</QueryContent>
}
