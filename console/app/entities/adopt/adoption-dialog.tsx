import { Accordion, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { Loading } from '../../components/loading.tsx'
import { quoted } from '../../components/show-as.ts'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { ChangedEntities } from '../changed-entities.tsx'
import { textOf } from '../definition/definition-text.ts'
import { mistakesIn } from '../definition/mistakes.ts'
import { forgetTables } from '../entity-queries.ts'
import { Notice } from '../notice.tsx'
import { adoptTables, type EntityToAdopt, planAdoption, reasonsByTable } from './adoption.ts'

interface AdoptionDialogProps {
  readonly tables: readonly string[]
  /** Leaves tables out of the choice. */
  readonly onLeaveOut: (names: ReadonlySet<string>) => void
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Shows the definitions that an adoption would store, or why it would be refused, and adopts the tables. */
export function AdoptionDialog({ tables, onLeaveOut, onDone, onClose }: AdoptionDialogProps) {
  const { t } = useTranslation('entities')
  const { t: tComponents } = useTranslation('components')
  const client = useQueryClient()
  const plan = useQuery({
    queryKey: ['entities', 'adoption', tables],
    queryFn: () => planAdoption(tables),
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const adoption = useMutation({ mutationFn: () => adoptTables(tables) })
  const close = () => {
    onClose()
    if (adoption.data === undefined) return
    onDone()
    void forgetTables(client)
  }
  const error = adoption.error ?? plan.error
  const reasons = reasonsByTable(mistakesIn(error), tables)
  return (
    <Dialog
      opened
      onClose={close}
      title={t('adopt.previewTitle')}
      size="xl"
      closeButtonProps={{ 'aria-label': tComponents('close') }}
    >
      <Stack>
        {adoption.data === undefined ? (
          <>
            {plan.data === undefined && error === null ? <Loading /> : null}
            {error === null ? null : reasons.size > 0 ? (
              <Reasons reasons={reasons} onLeaveOut={onLeaveOut} mayLeaveOut={reasons.size < tables.length} />
            ) : (
              <FailureAlert error={error} onRetry={() => void plan.refetch()} />
            )}
            {plan.data === undefined || error !== null ? null : <Preview entities={plan.data} />}
            <Group justify="space-between">
              <ShowAsButton
                call={{ method: 'POST', path: '/manage/entities/adopt', body: { tables } }}
                command={`gatehouse entity adopt ${quoted(tables.join(','))}`}
              />
              <Group gap="xs">
                <Button variant="default" onClick={close} disabled={adoption.isPending}>
                  {t('plan.back')}
                </Button>
                <Button
                  loading={adoption.isPending}
                  disabled={plan.data === undefined || error !== null}
                  onClick={() => adoption.mutate()}
                >
                  {t('adopt.action', { count: tables.length })}
                </Button>
              </Group>
            </Group>
          </>
        ) : (
          <Adopted entities={adoption.data} onClose={close} />
        )}
      </Stack>
    </Dialog>
  )
}

interface AdoptedProps {
  readonly entities: readonly EntityToAdopt[]
  readonly onClose: () => void
}

function Adopted({ entities, onClose }: AdoptedProps) {
  const { t } = useTranslation('entities')
  return (
    <>
      <Notice kind="done" role="status" title={t('adopt.done', { count: entities.length })}>
        <ChangedEntities entities={entities} />
      </Notice>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {t('plan.close')}
        </Button>
      </Group>
    </>
  )
}

interface ReasonsProps {
  readonly reasons: ReadonlyMap<string, readonly string[]>
  readonly mayLeaveOut: boolean
  readonly onLeaveOut: (names: ReadonlySet<string>) => void
}

function Reasons({ reasons, mayLeaveOut, onLeaveOut }: ReasonsProps) {
  const { t } = useTranslation('entities')
  return (
    <Notice role="alert" kind="loss" title={t('adopt.refused')}>
      <Stack gap="xs">
        <Text size="sm">{t('adopt.refusedText')}</Text>
        <List size="sm">
          {[...reasons].map(([table, sentences]) => (
            <List.Item key={table}>
              <bdi>{table}</bdi>: {sentences.join(' ')}
            </List.Item>
          ))}
        </List>
        {mayLeaveOut ? (
          <Group>
            <Button size="xs" variant="default" onClick={() => onLeaveOut(new Set(reasons.keys()))}>
              {t('adopt.leaveOut', { count: reasons.size })}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </Notice>
  )
}

function Preview({ entities }: { readonly entities: readonly EntityToAdopt[] }) {
  const { t } = useTranslation('entities')
  return (
    <Accordion variant="separated" keepMounted={false} defaultValue={entities[0]?.name ?? null}>
      {entities.map(({ name, resource, definition, warnings }) => (
        <Accordion.Item key={name} value={name}>
          <Accordion.Control>
            <Group gap="md">
              <bdi>{name}</bdi>
              {resource === null ? null : <Code>{resource}</Code>}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              {warnings.length === 0 ? null : (
                <Notice kind="warning" title={t('adopt.warnings')}>
                  <List size="sm">
                    {warnings.map((warning) => (
                      <List.Item key={warning}>{warning}</List.Item>
                    ))}
                  </List>
                </Notice>
              )}
              <Code block tabIndex={0} role="region" aria-label={name} mah={360} style={{ overflow: 'auto' }}>
                {textOf(definition, 'yaml')}
              </Code>
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}
