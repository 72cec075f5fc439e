import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../../api/access.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { isObject } from '../definition/definition.ts'
import { entityQuery } from '../entity-queries.ts'
import { Notice } from '../notice.tsx'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { uploadOf } from '../plan/planned-operation.ts'

/** How the table of an entity differs from its definition, and what to do about it. */
export function DriftTab({ name }: { readonly name: string }) {
  const { t } = useTranslation('entities')
  const query = useQuery(entityQuery(name))
  const mayUpload = useIsAllowed('POST', '/manage/entities')
  const [isPlanned, setIsPlanned] = useState(false)
  return (
    <QueryContent query={query}>
      {({ drift, definition, changed_at }) =>
        drift.length === 0 ? (
          <Notice kind="done" title={t('drift.none')}>
            {t('drift.noneText')}
          </Notice>
        ) : (
          <Stack maw="48rem">
            <Notice kind="warning" title={t('drift.title')}>
              <List size="sm">
                {drift.map((sentence) => (
                  <List.Item key={sentence}>{sentence}</List.Item>
                ))}
              </List>
            </Notice>
            <Text>{t('drift.why')}</Text>
            <List>
              <List.Item>{t('drift.harmless')}</List.Item>
              <List.Item>{t(isObject(definition.adopted) ? 'drift.adopted' : 'drift.change')}</List.Item>
              {isObject(definition.adopted) ? null : <List.Item>{t('drift.repair')}</List.Item>}
            </List>
            {mayUpload && !isObject(definition.adopted) ? (
              <Group>
                <Button onClick={() => setIsPlanned(true)}>{t('drift.plan')}</Button>
              </Group>
            ) : null}
            {isPlanned ? (
              <PlanDialog
                title={t('plan.title', { name })}
                operation={uploadOf(definition)}
                basis={{ name, changedAt: changed_at }}
                onClose={() => setIsPlanned(false)}
              />
            ) : null}
          </Stack>
        )
      }
    </QueryContent>
  )
}
