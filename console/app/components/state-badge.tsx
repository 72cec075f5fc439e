import { Badge, type MantineSize } from '@mantine/core'
import type { ReactNode } from 'react'

const colors = { good: 'teal', bad: 'red', unknown: 'gray' } as const

interface StateBadgeProps {
  readonly state: keyof typeof colors
  readonly size?: MantineSize
  readonly children: ReactNode
}

/** Says in few words how something is, in a colour that can be read in light and dark. */
export function StateBadge({ state, size = 'md', children }: StateBadgeProps) {
  const color = colors[state]
  const readable = `light-dark(var(--mantine-color-${color}-9), var(--mantine-color-${color}-3))`
  return (
    <Badge
      variant="outline"
      size={size}
      tt="none"
      h="auto"
      miw={0}
      maw="100%"
      style={{ color: readable, borderColor: readable }}
      styles={{ label: { whiteSpace: 'normal', lineHeight: 1.4 } }}
    >
      {children}
    </Badge>
  )
}
