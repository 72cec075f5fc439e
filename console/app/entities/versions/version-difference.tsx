import { List, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LineDifference } from '../../components/line-difference.tsx'
import { QueryContent } from '../../components/query-content.tsx'
import { differenceQuery, versionQuery } from '../entity-queries.ts'
import { describeChange } from './describe-change.ts'

interface VersionDifferenceProps {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** What differs between two versions: in sentences, and line by line. */
export function VersionDifference({ name, from, to }: VersionDifferenceProps) {
  const { t } = useTranslation('entities')
  const difference = useQuery(differenceQuery(name, from, to))
  const before = useQuery(versionQuery(name, from))
  const after = useQuery(versionQuery(name, to))
  return (
    <Stack component="section" aria-label={t('versions.difference', { from, to })}>
      <Title order={2} size="h4">
        {t('versions.difference', { from, to })}
      </Title>
      <QueryContent query={difference}>
        {({ changes }) =>
          changes.length === 0 ? (
            <Text>{t('versions.noDifference')}</Text>
          ) : (
            <List>
              {changes.map((change) => {
                const { key, values } = describeChange(change)
                return (
                  <List.Item key={change.pointer + change.kind}>
                    {t(`versions.change.${key}`, values)}
                  </List.Item>
                )
              })}
            </List>
          )
        }
      </QueryContent>
      <QueryContent query={before}>
        {(old) => (
          <QueryContent query={after}>
            {(now) => (
              <LineDifference
                label={t('versions.lines')}
                from={old.definition ?? undefined}
                to={now.definition ?? undefined}
              />
            )}
          </QueryContent>
        )}
      </QueryContent>
    </Stack>
  )
}
