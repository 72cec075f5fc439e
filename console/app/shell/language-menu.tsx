import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from './menu-button.tsx'

const load = async () => (await import('./opened-language-menu.tsx')).OpenedLanguageMenu

/** Chooses the language of the console. */
export function LanguageMenu() {
  const { t } = useTranslation('shell')
  return <MenuButton label={t('language')} icon={<IconLanguage size={20} />} load={load} />
}
