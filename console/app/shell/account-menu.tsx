import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { logOut } from '../api/console-session.ts'
import { useSession } from './session-gate.tsx'

/** Who is logged in, and how to log out. */
export function AccountMenu() {
  const { t } = useTranslation('shell')
  const { account } = useSession()
  const client = useQueryClient()
  const leave = async () => {
    await logOut()
    // What was read with this account must not be seen by the next one.
    client.clear()
    location.reload()
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('account.menu', { name: account.displayName })}
        >
          <IconUserCircle size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={280}>
        <Menu.Label>
          <Text fw={600} truncate>
            {account.displayName}
          </Text>
          <Text size="sm" truncate>
            {t('account.roles', { roles: account.roles.join(', ') })}
          </Text>
        </Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={16} />}>
          {t('areas.account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          {t('account.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
