import { ActionIcon } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { useLoaded } from '../components/use-loaded.ts'

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
  const { Opened, open } = useLoaded(load)
  const look = { variant: 'subtle', color: 'gray', size: 'lg', title: label, 'aria-label': label } as const
  if (Opened === undefined) {
    return (
      <ActionIcon {...look} aria-haspopup="menu" aria-expanded={false} onClick={open}>
        {icon}
      </ActionIcon>
    )
  }
  // It takes the place of the button that was pressed, which had the focus.
  return (
    <Opened
      button={
        <ActionIcon {...look} autoFocus>
          {icon}
        </ActionIcon>
      }
    />
  )
}
