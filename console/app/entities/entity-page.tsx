import { Anchor, Badge, Button, Code, Group, Tabs, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { Refusal } from '../../../browser/refusal.ts'
import { useIsAllowed } from '../api/access.ts'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Loading } from '../components/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { BackLink } from './back-link.tsx'
import { DesignTab } from './design/design-tab.tsx'
import { DriftTab } from './drift/drift-tab.tsx'
import { dataPath, entitiesPath, entityPath } from './entity-paths.ts'
import { entityQuery, forgetEntity } from './entity-queries.ts'
import { Notice } from './notice.tsx'
import { PlanDialog } from './plan/plan-dialog.tsx'
import { removalOf } from './plan/planned-operation.ts'
import { VersionsTab } from './versions/versions-tab.tsx'

type Tab = 'design' | 'versions' | 'drift'

/** An entity: its design, its versions, and how its table differs. A deleted one still has versions. */
export function EntityPage() {
  const { t } = useTranslation('entities')
  const { name = '', '*': rest = '' } = useParams()
  const query = useQuery({ ...entityQuery(name), retry: false })
  const { data: entity, error } = query
  const mayReadVersions = useIsAllowed('GET', `/manage/entities/${encodeURIComponent(name)}/versions`)
  const isMissing = entity === undefined && error instanceof Refusal && error.status === 404
  const tabs: readonly Tab[] = [
    ...(entity === undefined ? [] : (['design', 'drift'] as const)),
    ...(mayReadVersions ? (['versions'] as const) : []),
  ]
  const wanted = (['versions', 'drift'] as const).find((tab) => tab === rest) ?? 'design'
  if (entity === undefined && error === null) return <Loading />
  return (
    <>
      <BackLink />
      <PageHeader
        title={name}
        description={entity === undefined ? undefined : <Where resource={entity.resource} name={name} />}
        actions={entity === undefined ? undefined : <DeleteButton name={name} />}
      />
      {error !== null && entity === undefined ? (
        isMissing && mayReadVersions ? (
          <Notice kind="warning" title={t('entity.missing')}>
            {t('entity.missingText')}
          </Notice>
        ) : (
          <FailureAlert error={error} onRetry={() => void query.refetch()} />
        )
      ) : null}
      <EntityTabs
        name={name}
        tabs={isMissing ? tabs.filter((tab) => tab === 'versions') : tabs}
        wanted={isMissing ? 'versions' : wanted}
        driftCount={entity?.drift.length ?? 0}
      />
    </>
  )
}

interface EntityTabsProps {
  readonly name: string
  readonly tabs: readonly Tab[]
  readonly wanted: Tab
  readonly driftCount: number
}

function EntityTabs({ name, tabs, wanted, driftCount }: EntityTabsProps) {
  const { t } = useTranslation('entities')
  const navigate = useNavigate()
  if (!tabs.includes(wanted)) return null
  const panels = { design: DesignTab, versions: VersionsTab, drift: DriftTab } as const
  const Panel = panels[wanted]
  const order: readonly Tab[] = ['design', 'versions', 'drift']
  return (
    <Tabs
      value={wanted}
      onChange={(tab) => void navigate(entityPath(name, (tab ?? 'design') as Tab))}
      activateTabWithKeyboard={false}
    >
      <Tabs.List mb="md">
        {order
          .filter((tab) => tabs.includes(tab))
          .map((tab) => (
            <Tabs.Tab
              key={tab}
              value={tab}
              rightSection={
                tab === 'drift' && driftCount > 0 ? (
                  <Badge
                    color="red.9"
                    variant="filled"
                    circle
                    aria-label={t('drift.count', { count: driftCount })}
                  >
                    {driftCount}
                  </Badge>
                ) : null
              }
            >
              {t(`tabs.${tab}`)}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value={wanted}>
        <Panel key={name} name={name} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Where({ resource, name }: { readonly resource: string | null; readonly name: string }) {
  const { t } = useTranslation('entities')
  return (
    <Group gap="md" component="span">
      {resource === null ? <Text span>{t('list.unpublished')}</Text> : <Code>{resource}</Code>}
      <Anchor component={Link} to={dataPath(name)} size="sm">
        {t('plan.openData')}
      </Anchor>
    </Group>
  )
}

function DeleteButton({ name }: { readonly name: string }) {
  const { t } = useTranslation('entities')
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayDelete = useIsAllowed('DELETE', `/manage/entities/${encodeURIComponent(name)}`)
  const [isAsked, setIsAsked] = useState(false)
  const [isDone, setIsDone] = useState(false)
  if (!mayDelete) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} color="var(--mantine-color-error)" />}
        onClick={() => setIsAsked(true)}
      >
        {t('entity.delete')}
      </Button>
      {isAsked ? (
        <PlanDialog
          title={t('entity.deleteTitle', { name })}
          operation={removalOf(name)}
          onDone={() => setIsDone(true)}
          onClose={() => {
            setIsAsked(false)
            if (!isDone) return
            void navigate(entitiesPath)
            forgetEntity(client, name)
          }}
        />
      ) : null}
    </>
  )
}
