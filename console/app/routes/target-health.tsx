import { Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { StateBadge } from '../components/state-badge.tsx'
import { type GatewayRoute, healthQuery } from './gateway-routes.ts'

interface TargetHealthProps {
  readonly route: Pick<GatewayRoute, 'name'>
  readonly target: string
}

const states = { healthy: 'good', unhealthy: 'bad', unknown: 'unknown' } as const

/** Whether a target responds; its tooltip says why it did not. */
export function TargetHealth({ route, target }: TargetHealthProps) {
  const { t } = useTranslation('routes')
  const isAllowed = useIsAllowed('GET', '/manage/route-health')
  const { data } = useQuery({ ...healthQuery, enabled: isAllowed })
  const plain = target.replace(/\/$/, '')
  const found = data
    ?.find(({ name }) => name === route.name)
    ?.targets.find((one) => one.target.replace(/\/$/, '') === plain)
  if (found === undefined) return null
  const badge = (
    <span>
      <StateBadge state={states[found.state]}>{t(`health.${found.state}`)}</StateBadge>
    </span>
  )
  return found.failure === null ? badge : <Tooltip label={found.failure.reason}>{badge}</Tooltip>
}
