import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { keepLanguage, type Language, languages } from '../language/languages.ts'
import { setLanguage } from '../language/messages.ts'

/** Chooses the language of the console. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell')
  const choose = (language: Language) => {
    keepLanguage(language)
    void setLanguage(language)
  }
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label={t('language')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('language')}>
            <IconLanguage size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
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
