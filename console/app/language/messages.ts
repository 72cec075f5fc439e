/** All texts of the console: in a folder `messages.en.json` and `messages.ja.json`, under the folder's name. */
import i18next, { type BackendModule, type FlatNamespace, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Language } from './languages.ts'

type Messages = Readonly<Record<string, unknown>>

// One file for each folder and language, which is loaded when a page first shows its texts.
const files = Object.fromEntries(
  Object.entries(import.meta.glob<Messages>('../**/messages.*.json', { import: 'default' })).map(
    ([file, load]) => [`${file.split('/').at(-2)} ${file.split('.').at(-2)}`, load],
  ),
)

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const load =
      files[`${namespace} ${language}`] ?? (() => Promise.reject(new Error('There is no such file.')))
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

// The first page is loaded at the same time.
const hasLanguage = new Promise((resolve) => {
  i18next.on('initialized', resolve)
})

/** What every page shows. */
const onEachPage = ['shell', 'components'] as const

/** Loads the texts of a language that are in use, and makes them what `useTranslation` gives. */
export async function setLanguage(language: Language): Promise<i18n> {
  if (i18next.isInitialized) await i18next.changeLanguage(language)
  else
    await i18next
      .use(backend)
      .use(initReactI18next)
      .init({
        lng: language,
        fallbackLng: false,
        ns: [...onEachPage],
        defaultNS: 'shell',
        // React escapes what it shows.
        interpolation: { escapeValue: false },
        returnNull: false,
      })
  await loadTexts(onEachPage)
  document.documentElement.lang = language
  return i18next
}

/** Loads the texts of some folders, if they are not there yet, once there is a language. Throws if they cannot be loaded. */
export async function loadTexts(names: readonly FlatNamespace[]): Promise<void> {
  await hasLanguage
  await i18next.loadNamespaces(names)
  const isMissing = (name: string) => !i18next.hasResourceBundle(i18next.language, name)
  // What could not be loaded once is not asked for again.
  if (names.some(isMissing)) await i18next.reloadResources([i18next.language], names.filter(isMissing))
  const missing = names.filter(isMissing)
  if (missing.length > 0) throw new Error(`The texts of ${missing.join(', ')} could not be loaded.`)
}
