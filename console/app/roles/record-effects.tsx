import { Alert, Badge, Box, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { components } from '../api/gateway-api.d.ts'

type RecordEffect = components['schemas']['RoleEffects']['records'][number]

interface RecordEffectsProps {
  readonly records: readonly RecordEffect[]
  /** Whether there may be more. */
  readonly isTruncated: boolean
}

/** What a change of a role opens and closes of the records of entities: for accounts, by method. */
export function RecordEffects({ records, isTruncated }: RecordEffectsProps) {
  const { t } = useTranslation('roles')
  const entities = [...new Set(records.map(({ entity }) => entity))]
  return (
    <Box component="section" aria-label={t('effects.records.title')}>
      <Text size="sm" fw={600}>
        {t('effects.records.title')}
      </Text>
      <Stack gap="xs">
        {entities.map((entity) => (
          <div key={entity}>
            <Text size="sm" ff="monospace">
              {entity}
            </Text>
            <List size="sm" listStyleType="none" spacing={4} aria-label={entity}>
              {records
                .filter((record) => record.entity === entity)
                .map((record) => (
                  <List.Item key={`${record.method} ${record.account}`}>
                    <Effect effect={record} />
                  </List.Item>
                ))}
            </List>
          </div>
        ))}
        {isTruncated ? (
          <Alert color="yellow" variant="outline">
            {t('effects.records.truncated')}
          </Alert>
        ) : null}
      </Stack>
    </Box>
  )
}

function Effect({ effect }: { readonly effect: RecordEffect }) {
  const { t, i18n } = useTranslation('roles')
  const { method, account, counted, opens = 0, closes = 0, fields = [] } = effect
  const shown = (count: number) => count.toLocaleString(i18n.language)
  const rows = [
    ...(opens > 0 ? [t('effects.records.opens', { count: opens, shown: shown(opens) })] : []),
    ...(closes > 0 ? [t('effects.records.closes', { count: closes, shown: shown(closes) })] : []),
  ]
  const ofFields = fields.flatMap(({ name, opens, closes }) => [
    ...(opens > 0 ? [t('effects.records.fieldOpens', { name, count: opens, shown: shown(opens) })] : []),
    ...(closes > 0 ? [t('effects.records.fieldCloses', { name, count: closes, shown: shown(closes) })] : []),
  ])
  const lines = [...rows, ...ofFields]
  return (
    <>
      <Badge variant="default" radius="sm" component="span" tt="none">
        {t(`effects.records.methods.${method}`)}
      </Badge>{' '}
      {account ?? t('effects.records.anyAccount')}
      <List size="sm" withPadding spacing={0}>
        {(counted && lines.length > 0
          ? lines
          : [t(`effects.records.${counted ? 'none' : 'notCounted'}`)]
        ).map((line) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            {line}
          </List.Item>
        ))}
      </List>
    </>
  )
}
