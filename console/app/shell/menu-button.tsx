import { ActionIcon } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useState } from 'react'

/** The part of a menu that is loaded when it is opened first. */
export interface OpenedMenuProps {
  readonly button: ReactNode
}

interface MenuButtonProps {
  readonly label: string
  readonly icon: ReactNode
  readonly load: () => Promise<ComponentType<OpenedMenuProps>>
}

/** A button that opens a menu. The code of the menu is loaded when it is opened first. */
export function MenuButton({ label, icon, load }: MenuButtonProps) {
  const [isWanted, setIsWanted] = useState(false)
  const Opened = useMemo(() => lazy(async () => ({ default: await load() })), [load])
  const look = { variant: 'subtle', color: 'gray', size: 'lg', title: label, 'aria-label': label } as const
  const closed = (
    <ActionIcon {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsWanted(true)}>
      {icon}
    </ActionIcon>
  )
  if (!isWanted) return closed
  return (
    <Suspense fallback={closed}>
      {/* It takes the place of the button that was pressed, which had the focus. */}
      <Opened
        button={
          <ActionIcon {...look} autoFocus>
            {icon}
          </ActionIcon>
        }
      />
    </Suspense>
  )
}
