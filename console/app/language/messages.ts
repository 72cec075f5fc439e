/** All texts of the console: in a folder `messages.en.json` and `messages.ja.json`, under the folder's name. */
import i18next, { type i18n, type Resource } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from './languages.ts'

type Messages = Readonly<Record<string, unknown>>

// One chunk for each language, which the page loads before it shows anything.
const loaders = {
  en: () => import('./english.ts'),
  ja: () => import('./japanese.ts'),
} as const

/** Loads the texts of a language and makes them what `useTranslation` gives. */
export async function setLanguage(language: Language): Promise<i18n> {
  const resources = await loadLanguage(language)
  if (i18next.isInitialized) {
    for (const [namespace, texts] of Object.entries(resources)) {
      i18next.addResourceBundle(language, namespace, texts)
    }
    await i18next.changeLanguage(language)
  } else {
    await i18next.use(initReactI18next).init({
      lng: language,
      resources: { [language]: resources } as Resource,
      ns: Object.keys(resources),
      defaultNS: 'shell',
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    })
  }
  document.documentElement.lang = language
  return i18next
}

async function loadLanguage(language: Language): Promise<Readonly<Record<string, Messages>>> {
  const { files } = await loaders[language]()
  return Object.fromEntries(
    Object.entries(files).map(([file, texts]) => [file.split('/').at(-2) ?? '', texts]),
  )
}
