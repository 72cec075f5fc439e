import { IconUserCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from './menu-button.tsx'
import { useSession } from './session-gate.tsx'

const load = async () => (await import('./opened-account-menu.tsx')).OpenedAccountMenu

/** Who is logged in, and how to log out. */
export function AccountMenu() {
  const { t } = useTranslation('shell')
  const { account } = useSession()
  const label = t('account.menu', { name: account.displayName })
  return <MenuButton label={label} icon={<IconUserCircle size={22} />} load={load} />
}
