import { Anchor, Button, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useIsAllowed } from '../../api/access.ts'
import type { components } from '../../api/gateway-api.d.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { type SimpleColumn, SimpleTable } from '../../components/simple-table.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { entityPath, versionPath } from '../entity-paths.ts'
import { entityQuery, versionsQuery } from '../entity-queries.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { VersionDifference } from './version-difference.tsx'
import classes from './versions.module.css'

type Version = components['schemas']['EntityVersion']

/** How a definition has changed: two of its versions are compared, and an older one can be restored. */
export function VersionsTab({ name }: { readonly name: string }) {
  const query = useQuery(versionsQuery(name))
  const navigate = useNavigate()
  const [restored, setRestored] = useState<number>()
  const restore = (version: number) => {
    // Once the entity is there again, its page would show the design.
    void navigate(entityPath(name, 'versions'), { replace: true })
    setRestored(version)
  }
  return (
    <>
      <QueryContent query={query}>
        {(versions) => (
          <Stack gap="xl">
            <VersionTable name={name} versions={versions} onRestore={restore} />
            {versions.length > 1 ? <Comparison name={name} versions={versions} /> : null}
          </Stack>
        )}
      </QueryContent>
      {restored === undefined ? null : (
        <RestoreDialog name={name} version={restored} onClose={() => setRestored(undefined)} />
      )}
    </>
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

interface VersionTableProps extends VersionsProps {
  /** Restores a version of a deleted entity. */
  readonly onRestore: (version: number) => void
}

function VersionTable({ name, versions, onRestore }: VersionTableProps) {
  const { t } = useTranslation('entities')
  const pair = usePair(versions)
  const mayUpload = useIsAllowed('POST', '/manage/entities')
  // The page has read it.
  const { data: entity } = useQuery({ ...entityQuery(name), enabled: false })
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
              <Button size="compact-sm" variant="default" onClick={() => onRestore(version)}>
                {t('versions.restore')}
              </Button>
            ) : (
              <RestoreLink name={name} version={version} isCurrent={version === versions[0]?.version} />
            ),
        },
      ]}
    />
  )
}

interface RestoreLinkProps {
  readonly name: string
  readonly version: number
  readonly isCurrent: boolean
}

/** Leads to the design with a version in it. */
function RestoreLink({ name, version, isCurrent }: RestoreLinkProps) {
  const { t } = useTranslation('entities')
  return isCurrent ? (
    <Text size="sm" className={classes.action ?? ''}>
      {t('versions.current')}
    </Text>
  ) : (
    <Anchor component={Link} to={versionPath(name, version)} size="sm" className={classes.action}>
      {t('versions.restore')}
    </Anchor>
  )
}

function Comparison({ name, versions }: VersionsProps) {
  const { from, to } = usePair(versions)
  const { t } = useTranslation('entities')
  if (from === to) return <Text>{t('versions.same')}</Text>
  return <VersionDifference key={`${from} ${to}`} name={name} from={from} to={to} />
}
