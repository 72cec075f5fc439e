import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { countRows, isCountable, type Row } from './rows.ts'
import { pathOfTable } from './table-view.ts'
import { type Relation, rowsKey, tableQuery } from './tables.ts'
import { conditionsOf } from './wanted.ts'

interface CollectionCellProps {
  readonly relation: Relation
  readonly row: Row
  readonly isReachable: boolean
}

/** Leads to the rows that reference a row; how many there are is counted on demand. */
export function CollectionCell({ relation, row, isReachable }: CollectionCellProps) {
  const conditions = conditionsOf(relation, row)
  if (conditions === undefined) return null
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor
        component={Link}
        size="sm"
        truncate
        to={pathOfTable(relation.table, conditions)}
        tabIndex={isReachable ? 0 : -1}
      >
        {relation.table}
      </Anchor>
      <CountButton table={relation.table} filters={conditions} isReachable={isReachable} />
    </Group>
  )
}

interface CountButtonProps {
  /** The name of a table. */
  readonly table: string
  /** The composite filter; undefined for none. */
  readonly filters: unknown
  readonly isReachable: boolean
}

/** Counts rows when it is pressed: that may take as long as reading all of them. */
export function CountButton({ table: name, filters, isReachable }: CountButtonProps) {
  const { t, i18n } = useTranslation('data')
  const [isAsked, setIsAsked] = useState(false)
  const { data: table } = useQuery({ ...tableQuery(name), enabled: isAsked })
  const { data: count, error } = useQuery({
    queryKey: [...rowsKey(name), 'count', filters],
    queryFn: ({ signal }) => (table === undefined ? undefined : countRows(table, filters, signal)),
    enabled: isAsked && table !== undefined && isCountable(table),
  })
  if (isAsked && table !== undefined && !isCountable(table)) {
    return (
      <Text span size="sm" c="dimmed">
        {t('count.none')}
      </Text>
    )
  }
  if (count !== undefined) {
    return (
      <Text span size="sm">
        {t('count.rows', { count, shown: count.toLocaleString(i18n.language) })}
      </Text>
    )
  }
  if (error !== null) {
    return (
      <Text span size="sm" c="red">
        {error.message}
      </Text>
    )
  }
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isAsked}
      tabIndex={isReachable ? 0 : -1}
      onClick={() => setIsAsked(true)}
    >
      {t('count.button')}
    </Button>
  )
}
