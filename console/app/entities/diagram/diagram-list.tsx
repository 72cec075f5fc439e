import { Anchor, Button, List, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { SimpleTable } from '../../components/simple-table.tsx'
import type { Graph, GraphLink } from './graph.ts'

interface DiagramListProps {
  readonly graph: Graph
  readonly addressOf: (id: string) => string
}

const shownAtOnce = 100

/** The same as the picture in words, for those who cannot see it or prefer to read. */
export function DiagramList({ graph: { tables, links }, addressOf }: DiagramListProps) {
  const { t } = useTranslation('entities')
  const [shown, setShown] = useState(shownAtOnce)
  const from = useMemo(() => groupedBy(links, 'from'), [links])
  const to = useMemo(() => groupedBy(links, 'to'), [links])
  const left = tables.length - shown
  return (
    <Stack>
      <SimpleTable
        label={t('diagram.label', { count: tables.length })}
        rows={tables.slice(0, shown)}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'table',
            title: t('diagram.table'),
            isHeading: true,
            show: ({ id }) => (
              <Anchor component={Link} to={addressOf(id)} size="sm">
                <bdi>{id}</bdi>
              </Anchor>
            ),
          },
          {
            key: 'to',
            title: t('diagram.refersTo'),
            show: ({ id }) => <Links links={from.get(id) ?? []} end="to" />,
          },
          {
            key: 'by',
            title: t('diagram.referredBy'),
            show: ({ id }) => <Links links={to.get(id) ?? []} end="from" />,
          },
        ]}
      />
      {left > 0 ? (
        <Button variant="default" onClick={() => setShown(shown + 5 * shownAtOnce)}>
          {t('plan.showMore', { count: left })}
        </Button>
      ) : null}
    </Stack>
  )
}

function Links({ links, end }: { readonly links: readonly GraphLink[]; readonly end: 'from' | 'to' }) {
  if (links.length === 0) return <Text size="sm">–</Text>
  return (
    <List size="sm" listStyleType="none">
      {links.map((link) => (
        <List.Item key={`${link[end]} ${link.fields.map(({ own }) => own).join(' ')}`}>
          <bdi>{link[end]}</bdi>{' '}
          <Text span c="dimmed" size="sm">
            {link.fields.map(({ own, other }) => `${own} → ${other}`).join(', ')}
          </Text>
        </List.Item>
      ))}
    </List>
  )
}

function groupedBy(
  links: readonly GraphLink[],
  end: 'from' | 'to',
): ReadonlyMap<string, readonly GraphLink[]> {
  return Map.groupBy(links, (link) => link[end])
}
