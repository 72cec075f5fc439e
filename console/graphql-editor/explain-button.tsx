import { ToolbarButton } from '@graphiql/react'

interface ExplainButtonProps {
  readonly label: string
  readonly isPressed: boolean
  readonly onPress: (isPressed: boolean) => void
}

/** Decides whether the next runs show how the database works for them. */
export function ExplainButton({ label, isPressed, onPress }: ExplainButtonProps) {
  return (
    <ToolbarButton label={label} aria-pressed={isPressed} onClick={() => onPress(!isPressed)}>
      <svg viewBox="0 0 24 24" className="graphiql-toolbar-icon" fill="none" aria-hidden="true">
        <path
          stroke="currentColor"
          strokeWidth="1.5"
          d="M4 7c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3v10c0 1.7 3.6 3 8 3M4 12c0 1.7 3.6 3 8 3M20 7v4M17 13.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6m2.2 5.2L22 21.5"
        />
      </svg>
    </ToolbarButton>
  )
}
