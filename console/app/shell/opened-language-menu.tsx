import '../mantine-styles-more.ts'
import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { keepLanguage, type Language, languages } from '../language/languages.ts'
import { setLanguage } from '../language/messages.ts'
import type { OpenedMenuProps } from './menu-button.tsx'
import { useOpening } from './use-opening.ts'

/** The languages of the console. */
export function OpenedLanguageMenu({ button }: OpenedMenuProps) {
  const { i18n } = useTranslation('shell')
  const opening = useOpening()
  const choose = (language: Language) => {
    keepLanguage(language)
    void setLanguage(language)
  }
  return (
    <Menu withinPortal={false} withInitialFocusPlaceholder={false} {...opening}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languages).map(([language, name]) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={i18n.language === language}
            fw={i18n.language === language ? 700 : 400}
            onClick={() => choose(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
