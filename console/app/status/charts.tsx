import { SimpleGrid } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart } from './chart.tsx'
import { rowsOf } from './figures.ts'
import type { Activity } from './status-types.ts'

/** The last minutes of a gateway as pictures. */
export function Charts({ activity }: { readonly activity: Activity }) {
  const { t } = useTranslation('status')
  const rows = useMemo(() => rowsOf(activity), [activity])
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Chart
        title={t('charts.requests')}
        rows={rows}
        isStacked
        lines={[
          { key: 'succeeded', name: t('charts.succeeded'), color: 'teal' },
          { key: 'refused', name: t('charts.refused'), color: 'yellow' },
          { key: 'failed', name: t('charts.failed'), color: 'red' },
        ]}
      />
      <Chart
        title={t('charts.latency')}
        rows={rows}
        lines={[
          { key: 'p50', name: t('charts.p50'), color: 'indigo' },
          { key: 'p95', name: t('charts.p95'), color: 'grape' },
          { key: 'p99', name: t('charts.p99'), color: 'orange' },
        ]}
      />
      <Chart
        title={t('charts.statements')}
        rows={rows}
        lines={[{ key: 'statements', name: t('charts.statementRate'), color: 'indigo' }]}
      />
      <Chart
        title={t('charts.connections')}
        rows={rows}
        lines={[
          { key: 'used', name: t('charts.used'), color: 'teal' },
          { key: 'waiting', name: t('charts.waiting'), color: 'red' },
        ]}
      />
      <Chart
        title={t('charts.memory')}
        rows={rows}
        lines={[{ key: 'memory', name: t('charts.rss'), color: 'grape' }]}
      />
      <Chart
        title={t('charts.delay')}
        rows={rows}
        lines={[{ key: 'delay', name: t('charts.longest'), color: 'orange' }]}
      />
    </SimpleGrid>
  )
}
