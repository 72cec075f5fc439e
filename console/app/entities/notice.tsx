import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface NoticeProps {
  readonly kind: 'warning' | 'loss' | 'done' | 'info'
  readonly title: string
  /** For screen readers: `alert` interrupts, `status` waits. */
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}

const looks = {
  warning: { color: 'yellow', Icon: IconAlertTriangle },
  loss: { color: 'red', Icon: IconAlertTriangle },
  done: { color: 'teal', Icon: IconCircleCheck },
  info: { color: 'blue', Icon: IconInfoCircle },
} as const

/** Something that must be read; its title has enough contrast in every colour. */
export function Notice({ kind, title, role, children }: NoticeProps) {
  const { color, Icon } = looks[kind]
  return (
    <Alert
      color={color}
      icon={<Icon size={20} />}
      title={title}
      {...(role === undefined ? {} : { role })}
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {children}
    </Alert>
  )
}
