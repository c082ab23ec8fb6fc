import { useSignal } from '@preact/signals'

const shownMs = 1500

/** Copies a text to the clipboard. */
export const Copy = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const result = useSignal('')
  const copy = async () => {
    // A browser may refuse, or have no clipboard in this place.
    result.value = await navigator.clipboard
      .writeText(text)
      .then(() => 'Copied')
      .catch(() => 'Refused: select it')
    setTimeout(() => {
      result.value = ''
    }, shownMs)
  }
  return (
    <button type="button" class="copy" aria-live="polite" onClick={() => copy().catch(() => {})}>
      {result.value || label}
    </button>
  )
}

/** A command with a button that copies it. */
export const Command = ({ text }: { readonly text: string }) => (
  <span class="command">
    <code>{text}</code> <Copy text={text} />
  </span>
)
