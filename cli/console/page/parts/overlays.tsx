import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { momentText } from '../../view/durations.ts'
import type { FoundCall } from '../../view/search-history.ts'
import { shortcuts } from '../shortcuts.ts'
import type { ConsoleState } from '../state.ts'
import type { PartProps } from './part-props.ts'

/** A dialog of the browser: it traps the focus, and Escape closes it. */
export const Dialog = ({
  isOpen,
  label,
  children,
}: {
  readonly isOpen: Signal<boolean>
  readonly label: string
  readonly children: preact.ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    if (isOpen.value) {
      dialog.current?.showModal()
      dialog.current?.querySelector('input')?.focus()
    } else dialog.current?.close()
  }, [isOpen.value])
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      // The browser sends `close` later. A shortcut right after Escape would be lost.
      onCancel={close}
      onClose={close}
    >
      <header>
        <h2>{label}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      {isOpen.value && children}
    </dialog>
  )
}

export const Help = ({ state }: { readonly state: ConsoleState }) => (
  <Dialog isOpen={state.isHelpOpen} label="Keyboard shortcuts">
    <dl class="keys">
      {shortcuts.map(({ keys, about }) => (
        <div key={about}>
          <dt>
            {keys.map(key => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)

export const Search = ({ state, controls }: PartProps) => {
  const found = useSignal<readonly FoundCall[] | undefined>(undefined)
  const text = useSignal('')
  const run = async () => {
    found.value = text.value.trim() === '' ? [] : await controls.search(text.value)
  }
  return (
    <Dialog isOpen={state.isSearchOpen} label="Search calls">
      <form
        onSubmit={event => {
          event.preventDefault()
          void run()
        }}
      >
        <input
          type="search"
          aria-label="Words of a call, an error or a request id"
          placeholder="CreateNatGateway, DependencyViolation, a request id…"
          value={text.value}
          onInput={event => {
            text.value = event.currentTarget.value
          }}
        />
        <button type="submit">Search</button>
      </form>
      {found.value !== undefined && (
        <ul class="found" aria-live="polite">
          {found.value.length === 0 && <li class="empty">No call of any step contains these words.</li>}
          {found.value.map(({ shoot, at, id, about }, index) => (
            <li key={index}>
              <button
                type="button"
                class="row"
                onClick={async () => {
                  state.isSearchOpen.value = false
                  await controls.open(shoot)
                  controls.goTo(at)
                  controls.choose(id)
                  state.tab.value = 'steps'
                }}
              >
                <span class="name">{about}</span>
                <span class="about">
                  {id}, {momentText(at)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
