import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Fact } from '../components/fact.tsx'
import { StateBadge } from '../components/state-badge.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { megabytesOf } from './figures.ts'
import type { GatewayStatus } from './status-types.ts'

/** The state of a gateway in figures. */
export function Facts({ status }: { readonly status: GatewayStatus }) {
  const { t, i18n } = useTranslation('status')
  const { node, database, store, process, schema, version } = status
  const number = new Intl.NumberFormat(i18n.language)
  const delay = process.event_loop_delay_ms.max
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <Fact title={t('facts.database')} detail={<Reach isReachable={database.reachable} />}>
        {database.product} {shortVersionOf(database.version)}
      </Fact>
      {store.separate ? (
        <Fact title={t('facts.store')} detail={<Reach isReachable={store.reachable} />}>
          {store.product} {shortVersionOf(store.version)}
        </Fact>
      ) : null}
      <Fact
        title={t('facts.connections')}
        detail={t('facts.waiting', { count: database.connections.waiting })}
      >
        {t('facts.used', { used: database.connections.in_use, most: database.connections.most })}
      </Fact>
      <Fact
        title={t('facts.memory')}
        detail={t('facts.heap', { heap: megabytesOf(process.heap_used_bytes) })}
      >
        {megabytesOf(process.rss_bytes)} MB
      </Fact>
      <Fact title={t('facts.delay')} detail={t('facts.delayDetail')}>
        {number.format(Math.round(delay))} ms
      </Fact>
      <Fact
        title={t('facts.tables')}
        detail={
          <>
            {t('facts.read')} <Timestamp time={schema.read_at} />
          </>
        }
      >
        {number.format(status.counts.tables)}
      </Fact>
      <Fact title={t('facts.started')} detail={`${node.name} · PID ${node.pid} · Node.js ${node.runtime}`}>
        <Timestamp time={node.started} />
      </Fact>
      <Fact title={t('facts.version')}>{version}</Fact>
    </SimpleGrid>
  )
}

/** A product's version without what follows the number. */
function shortVersionOf(version: string | null): string {
  return version?.split(/[\s-]/)[0] ?? ''
}

function Reach({ isReachable }: { readonly isReachable: boolean }) {
  const { t } = useTranslation('status')
  return (
    <StateBadge state={isReachable ? 'good' : 'bad'}>
      {isReachable ? t('facts.reachable') : t('facts.unreachable')}
    </StateBadge>
  )
}
