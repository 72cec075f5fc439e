import { Alert, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ConsoleSession, logIn } from '../api/console-session.ts'
import { LanguageMenu } from './language-menu.tsx'
import { PlainPage } from './plain-page.tsx'

interface LogInPageProps {
  readonly session: ConsoleSession
  /** Whether someone was logged in until now. */
  readonly hasEnded: boolean
}

/** For those who are not logged in with an account of the gateway, or no longer. */
export function LogInPage({ session: { login, reason }, hasEnded }: LogInPageProps) {
  const { t } = useTranslation('shell')
  return (
    <PlainPage title={t('logIn.title')}>
      {login === null ? (
        <Alert color="yellow" title={t('logIn.none')}>
          {reason}
        </Alert>
      ) : (
        <>
          <Text>{reason ?? t(hasEnded ? 'logIn.ended' : 'logIn.why')}</Text>
          <Button onClick={() => logIn(login)}>{t('logIn.button')}</Button>
        </>
      )}
      <Group justify="flex-end">
        <LanguageMenu />
      </Group>
    </PlainPage>
  )
}
