import { Anchor, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useIsAllowed } from '../../api/access.ts'
import type { components } from '../../api/gateway-api.d.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { type SimpleColumn, SimpleTable } from '../../components/simple-table.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { versionPath } from '../entity-paths.ts'
import { entityQuery, versionsQuery } from '../entity-queries.ts'
import { RestoreButton } from './restore-button.tsx'
import { VersionDifference } from './version-difference.tsx'

type Version = components['schemas']['EntityVersion']

/** How a definition has changed: two of its versions are compared, and an older one can be restored. */
export function VersionsTab({ name }: { readonly name: string }) {
  const query = useQuery(versionsQuery(name))
  return (
    <QueryContent query={query}>
      {(versions) => (
        <Stack gap="xl">
          <VersionTable name={name} versions={versions} />
          {versions.length > 1 ? <Comparison name={name} versions={versions} /> : null}
        </Stack>
      )}
    </QueryContent>
  )
}

interface VersionsProps {
  readonly name: string
  readonly versions: readonly Version[]
}

/** Which two versions are compared: those that the address names, otherwise the newest two. */
function usePair(versions: readonly Version[]) {
  const [search, setSearch] = useSearchParams()
  const numberOf = (key: string, otherwise: number) => {
    const wanted = Number(search.get(key) ?? '')
    return versions.some(({ version }) => version === wanted) ? wanted : otherwise
  }
  const from = numberOf('from', versions[1]?.version ?? 0)
  const to = numberOf('to', versions[0]?.version ?? 0)
  const choose = (key: 'from' | 'to', version: number) =>
    setSearch({ from: `${from}`, to: `${to}`, [key]: `${version}` }, { replace: true })
  return { from, to, choose }
}

function VersionTable({ name, versions }: VersionsProps) {
  const { t } = useTranslation('entities')
  const pair = usePair(versions)
  const mayUpload = useIsAllowed('POST', '/manage/entities')
  const { data: entity } = useQuery({ ...entityQuery(name), retry: false })
  const mayCompare = versions.length > 1
  const choice = (key: 'from' | 'to'): SimpleColumn<Version> => ({
    key,
    title: t(`versions.${key}`),
    show: ({ version }) => (
      <Radio
        name={key}
        aria-label={t(`versions.${key}Label`, { version })}
        checked={pair[key] === version}
        onChange={() => pair.choose(key, version)}
      />
    ),
  })
  return (
    <SimpleTable
      label={t('tabs.versions')}
      rows={versions}
      keyOf={({ version }) => `${version}`}
      columns={[
        ...(mayCompare ? [choice('from'), choice('to')] : []),
        { key: 'version', title: t('versions.version'), show: ({ version }) => version, isHeading: true },
        {
          key: 'when',
          title: t('versions.when'),
          show: ({ changed_at, changed_by }) => (
            <Text size="sm">
              <Timestamp time={changed_at} /> · {changed_by}
            </Text>
          ),
        },
        {
          key: 'what',
          title: t('versions.what'),
          isExtra: true,
          show: ({ action, summary }) => (
            <Text size="sm" lineClamp={2}>
              {action === 'changed' ? summary.join(', ') : t(`versions.action.${action}`)}
            </Text>
          ),
        },
        {
          key: 'restore',
          title: t('versions.actions'),
          show: ({ version, action }) =>
            !mayUpload || action === 'deleted' ? null : entity === undefined ? (
              <RestoreButton name={name} version={version} />
            ) : version === versions[0]?.version ? (
              <Text size="sm">{t('versions.current')}</Text>
            ) : (
              <Anchor component={Link} to={versionPath(name, version)} size="sm">
                {t('versions.restore')}
              </Anchor>
            ),
        },
      ]}
    />
  )
}

function Comparison({ name, versions }: VersionsProps) {
  const { from, to } = usePair(versions)
  const { t } = useTranslation('entities')
  if (from === to) return <Text>{t('versions.same')}</Text>
  return <VersionDifference key={`${from} ${to}`} name={name} from={from} to={to} />
}
