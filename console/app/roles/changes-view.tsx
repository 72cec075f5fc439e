import { Code, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ConditionsLine } from '../components/conditions-line.tsx'
import { type Permission, permissionKey, type RoleChanges } from './role-changes.ts'

/** What is shown of many changes. */
const mostShown = 20

/** What saving a role adds and takes away. */
export function ChangesView({ changes: { added, removed } }: { readonly changes: RoleChanges }) {
  const { t } = useTranslation('roles')
  return (
    <Stack gap="xs">
      <Permissions title={t('changes.added')} permissions={added} sign="+" />
      <Permissions title={t('changes.removed')} permissions={removed} sign="−" />
    </Stack>
  )
}

interface PermissionsProps {
  readonly title: string
  readonly permissions: readonly Permission[]
  readonly sign: string
}

function Permissions({ title, permissions, sign }: PermissionsProps) {
  const { t } = useTranslation('roles')
  if (permissions.length === 0) return null
  const more = permissions.length - mostShown
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" listStyleType="none">
        {permissions.slice(0, mostShown).map((permission) => (
          <List.Item key={permissionKey(permission)}>
            {sign} {permission.method} <Code style={{ overflowWrap: 'anywhere' }}>{permission.regex}</Code>
            <ConditionsLine conditions={permission} />
          </List.Item>
        ))}
        {more > 0 ? <List.Item>{t('authorities.more', { count: more })}</List.Item> : null}
      </List>
    </div>
  )
}
