import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { dataPath, entityPath } from './entity-paths.ts'

interface ChangedEntitiesProps {
  readonly entities: readonly { readonly name: string; readonly resource: string | null }[]
}

const mostListed = 20

/** Entities after a change, with the ways to them and to their data. */
export function ChangedEntities({ entities }: ChangedEntitiesProps) {
  const { t } = useTranslation('entities')
  return (
    <Stack gap={4}>
      {entities.slice(0, mostListed).map(({ name, resource }) => (
        <Group key={name} gap="md">
          <Anchor component={Link} to={entityPath(name)} size="sm">
            <bdi>{name}</bdi>
          </Anchor>
          <Anchor component={Link} to={dataPath(name)} size="sm">
            {t('plan.openData')}
          </Anchor>
          {resource === null ? null : <Text size="sm">{t('plan.publishedAt', { path: resource })}</Text>}
        </Group>
      ))}
      {entities.length > mostListed ? (
        <Text size="sm">{t('plan.more', { count: entities.length - mostListed })}</Text>
      ) : null}
    </Stack>
  )
}
