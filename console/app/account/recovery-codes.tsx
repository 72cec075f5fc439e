import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { CopyText } from '../components/show-as-button.tsx'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Recovery codes that were just made. Only the button closes them: they are not shown again. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation('account')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('factor.codes')}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text>{t('factor.codesText')}</Text>
        <SimpleGrid
          component="ul"
          cols={{ base: 1, xs: 2 }}
          spacing="xs"
          p={0}
          m={0}
          style={{ listStyle: 'none' }}
          aria-label={t('factor.codesList')}
        >
          {codes.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <CopyText text={codes.join('\n')} />
          <Button onClick={onClose} data-autofocus>
            {t('factor.kept')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
