import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsAllowed } from '../api/access.ts'
import { PageHeader } from '../components/page-header.tsx'
import { BackLink } from './back-link.tsx'
import { NewRecordButton } from './edit/record-actions.tsx'
import { nativeName } from './table-list.tsx'
import type { Table } from './tables.ts'

interface TableHeaderProps {
  readonly table: Table
  readonly actions: ReactNode
}

/** What a table is, and what can be done with it. */
export function TableHeader({ table, actions }: TableHeaderProps) {
  const { t } = useTranslation('data')
  const mayAdopt = useIsAllowed('POST', '/manage/entities/adopt')
  const { name, kind, api, entity, comment } = table
  const isAdoptable = entity === null && kind === 'table' && mayAdopt
  const native = nativeName(table)
  return (
    <>
      <BackLink />
      <PageHeader
        title={name}
        description={
          <Group component="span" gap="xs">
            <span>{t(kind === 'view' ? 'list.view' : 'list.table')}</span>
            {native === name ? null : (
              <Text span inherit maw="30rem" truncate>
                <bdi>{native}</bdi>
              </Text>
            )}
            <span>{api !== null ? api.path : t(kind === 'view' ? 'list.readOnly' : 'list.unpublished')}</span>
            {comment === undefined ? null : <span>{comment}</span>}
          </Group>
        }
        actions={
          <>
            <NewRecordButton table={table} />
            {actions}
            {isAdoptable ? (
              <Button
                component={Link}
                variant="default"
                to={`/entities/adopt?${new URLSearchParams({ table: name })}`}
              >
                {t('list.adopt')}
              </Button>
            ) : null}
          </>
        }
      />
    </>
  )
}
