import { Button } from '@mantine/core'
import { IconSum } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface TotalsButtonProps {
  readonly isOpen: boolean
  readonly isComputed: boolean
  readonly onClick: () => void
}

/** Opens and closes the totals of a list. */
export function TotalsButton({ isOpen, isComputed, onClick }: TotalsButtonProps) {
  const { t } = useTranslation('totals')
  return (
    <Button
      variant={isComputed ? 'filled' : 'default'}
      size="xs"
      leftSection={<IconSum size={16} />}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {t('button')}
    </Button>
  )
}
