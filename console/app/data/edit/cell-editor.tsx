import { Box, Popover, Text } from '@mantine/core'
import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './edit.module.css'
import { FieldInput } from './field-input.tsx'
import { referenceOf } from './referable.ts'
import { type EditedCell, useCellChange } from './use-cell-change.ts'

interface CellEditorProps extends EditedCell {
  /** Another number moves the focus here. */
  readonly turn: number
  /** Ends the edit of this cell. */
  readonly onClose: () => void
  /** Goes on to the next cell, or to the one before; gives whether there is one. */
  readonly onGoOn: (step: 1 | -1) => boolean
}

/** Edits a value in its cell: Enter saves, Escape cancels, Tab saves and goes on. */
export function CellEditor({ turn, onClose, onGoOn, ...cell }: CellEditorProps) {
  const { table, field } = cell
  const { t } = useTranslation('data')
  const place = useRef<HTMLDivElement>(null)
  // Saving is wanted in a turn: who comes back goes on.
  const [wantedTurn, setWantedTurn] = useState<number>()
  const isBack = useRef(false)
  const onSaved = () => {
    const own = place.current?.closest<HTMLElement>('[data-cell]')
    const isInside =
      place.current?.contains(document.activeElement) || document.activeElement === document.body
    onClose()
    if (isInside) own?.focus()
  }
  const change = useCellChange(cell, onSaved, () => isBack.current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn moves the focus.
  useEffect(() => {
    isBack.current = change.isSaving
    selectIn(place.current)
  }, [turn])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer value is to be typed over like the one before.
  useEffect(() => {
    if (!change.isTouched && place.current?.contains(document.activeElement)) selectIn(place.current)
  }, [change.shown])
  const isReady = change.isReady && !change.isSaving
  // Who types faster than the record is read need not wait for it.
  useEffect(() => {
    if (wantedTurn !== turn || !isReady) return
    setWantedTurn(undefined)
    change.save()
  })

  function save(): void {
    isBack.current = false
    setWantedTurn(turn)
  }

  function cancel(): void {
    place.current?.closest<HTMLElement>('[data-cell]')?.focus()
    onClose()
  }

  function onKeyDown(event: KeyboardEvent): void {
    // What is typed in a dialog above the cell is not for the cell.
    if (!(event.target instanceof Node && place.current?.contains(event.target))) return
    event.stopPropagation()
    const isButton = event.target instanceof HTMLButtonElement
    if (event.key === 'Enter' && !isButton && !event.nativeEvent.isComposing) {
      event.preventDefault()
      save()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      cancel()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      save()
      onGoOn(event.shiftKey ? -1 : 1)
    } else if (event.key === 'Delete' && event.ctrlKey && field.nullable) {
      event.preventDefault()
      change.enter(null)
    }
  }

  function onBlur({ relatedTarget }: FocusEvent): void {
    const isInside = relatedTarget instanceof Element && place.current?.contains(relatedTarget)
    const isAbove = relatedTarget instanceof Element && relatedTarget.closest('[role="dialog"]') !== null
    // Another window, or a dialog of the browser.
    if (isInside || isAbove || !document.hasFocus() || change.conflict !== undefined) return
    if (change.isTouched) save()
    else onClose()
  }

  const mistake = change.error ?? (change.isAllowed ? undefined : t('edit.notAllowed'))
  return (
    <>
      <Box
        ref={place}
        role="group"
        aria-label={t('edit.cell', { field: field.name })}
        data-editing=""
        className={classes.cellEditor ?? ''}
        aria-busy={change.isSaving || !change.isReady}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Popover opened={mistake !== undefined} position="bottom-start" withRoles={false} shadow="sm">
          <Popover.Target>
            <div>
              <FieldInput
                field={field}
                value={change.entered}
                reference={referenceOf(table, field.name)}
                error={mistake}
                isInCell
                isReadOnly={!change.isAllowed}
                onChange={change.enter}
              />
            </div>
          </Popover.Target>
          <Popover.Dropdown p="xs" maw="24rem">
            <Text size="xs" c="red" role="alert">
              {mistake}
            </Text>
          </Popover.Dropdown>
        </Popover>
      </Box>
      {change.conflict === undefined ? null : (
        <ConflictDialog
          differences={change.conflict.differences}
          isSaving={change.isSaving}
          onChoose={(chosen) => void change.decide(chosen)}
          onClose={change.giveUp}
        />
      )}
    </>
  )
}

/** Moves the focus to the input in an element, with its text selected. */
function selectIn(element: HTMLElement | null): void {
  const input = element?.querySelector<HTMLElement>('input:not([tabindex="-1"]), select')
  input?.focus()
  if (input instanceof HTMLInputElement) input.select()
}
