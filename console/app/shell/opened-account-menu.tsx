import '../mantine-styles-more.ts'
import { Menu, Text } from '@mantine/core'
import { IconLogout, IconSettings } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { logOut } from '../api/console-session.ts'
import type { OpenedMenuProps } from './menu-button.tsx'
import { useSession } from './session-gate.tsx'
import { useOpening } from './use-opening.ts'

/** What who is logged in may do with the own account. */
export function OpenedAccountMenu({ button }: OpenedMenuProps) {
  const { t } = useTranslation('shell')
  const { account } = useSession()
  const client = useQueryClient()
  const opening = useOpening()
  const leave = async () => {
    await logOut()
    // What was read with this account must not be seen by the next one.
    client.clear()
    location.reload()
  }
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false} {...opening}>
      <Menu.Target>{button}</Menu.Target>
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
