import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ConsoleSession, logIn } from '../api/console-session.ts'
import { LanguageMenu } from './language-menu.tsx'
import { PlainPage } from './plain-page.tsx'

/** For those who are not logged in with an account of the gateway. */
export function LogInPage({ session: { login, reason } }: { readonly session: ConsoleSession }) {
  const { t } = useTranslation('shell')
  return (
    <PlainPage title={t('logIn.title')}>
      {login === null ? (
        <Alert color="yellow" title={t('logIn.none')}>
          {reason}
        </Alert>
      ) : (
        <>
          <Text>{reason ?? t('logIn.why')}</Text>
          <Button onClick={() => logIn(login)}>{t('logIn.button')}</Button>
        </>
      )}
      <Group justify="flex-end">
        <LanguageMenu />
      </Group>
    </PlainPage>
  )
}
