import { viewNames } from '../view/link.ts'
import { timelineSpan, zoomed } from '../view/timeline-span.ts'
import { visibleRows } from '../view/visible-rows.ts'
import type { Controls } from './controls.ts'
import type { ConsoleState } from './state.ts'

/** Pressed keys, as the help shows them. */
export const shortcuts: readonly { readonly keys: readonly string[]; readonly about: string }[] = [
  { keys: ['/'], about: 'filter the shoots' },
  { keys: ['s'], about: 'search calls, errors and request ids' },
  { keys: ['[', ']'], about: 'previous or next shoot' },
  { keys: ['↑', '↓', 'k', 'j'], about: 'previous or next object' },
  { keys: ['1', '…', '5'], about: 'tree, timeline, changes, cloud, plan' },
  { keys: ['←', '→'], about: 'previous or next change of the shoot' },
  { keys: ['Shift ←', 'Shift →'], about: 'a minute back or forward' },
  { keys: ['l'], about: 'live, or the end of the recording' },
  { keys: ['m'], about: 'mark this moment, to compare another one with it' },
  { keys: ['+', '−', '0'], about: 'zoom the timeline' },
  { keys: ['t'], about: 'dark or light' },
  { keys: ['Esc'], about: 'close the details' },
  { keys: ['?'], about: 'this list' },
]

const minute = 60_000

/** Handles a key outside of fields and dialogs. Returns true if it did something. */
const act = (key: string, isShift: boolean, state: ConsoleState, controls: Controls): boolean => {
  switch (key) {
    case '/':
      document.getElementById('filter')?.focus()
      return true
    case 's':
      state.isSearchOpen.value = true
      return true
    case '?':
      state.isHelpOpen.value = true
      return true
    case '[':
    case ']':
      controls.openNext(key === '[' ? -1 : 1)
      return true
    case 'ArrowUp':
    case 'ArrowDown':
    case 'j':
    case 'k':
      chooseNext(key === 'ArrowDown' || key === 'j' ? 1 : -1, state, controls)
      return true
    case 'ArrowLeft':
    case 'ArrowRight': {
      const direction = key === 'ArrowLeft' ? -1 : 1
      if (isShift) controls.goByMs(direction * minute)
      else controls.goBy(direction)
      return true
    }
    case 'l':
      controls.goTo(undefined)
      return true
    case 'm':
      controls.mark()
      return true
    case 't':
      controls.toggleTheme()
      return true
    case '+':
    case '=':
    case '-':
      zoom(key === '-' ? 2 : 0.5, state)
      return true
    case '0':
      state.visible.value = undefined
      return true
    case 'Escape':
      controls.choose(undefined)
      return true
    default: {
      const view = viewNames[Number(key) - 1]
      if (view !== undefined) controls.show(view)
      return view !== undefined
    }
  }
}

export const listenForShortcuts = (state: ConsoleState, controls: Controls): void => {
  document.addEventListener('keydown', event => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (key === 'Escape') target.blur()
      return
    }
    if (act(key, shiftKey, state, controls)) event.preventDefault()
  })
}

const chooseNext = (by: number, state: ConsoleState, controls: Controls): void => {
  const ids =
    state.view.peek() === 'timeline'
      ? state.rows.peek().map(({ id }) => id)
      : visibleRows(state.trees.peek(), state.toggled.peek()).map(({ node }) => node.id)
  const place = ids.indexOf(state.node.peek() ?? '')
  const next = ids[Math.min(ids.length - 1, Math.max(0, place + by))]
  if (next === undefined) return
  controls.choose(next)
  // The list is drawn again before the focus moves.
  requestAnimationFrame(() => {
    const item = document.querySelector<HTMLElement>('[role=treeitem][aria-selected=true]')
    item?.focus()
    item?.scrollIntoView({ block: 'nearest' })
  })
}

const zoom = (factor: number, state: ConsoleState): void => {
  const moment = state.moment.peek()
  const span = state.visible.peek() ?? timelineSpan(state.history.peek(), { now: state.now.peek(), moment })
  state.visible.value = zoomed(span, factor, Math.min(span[1], Math.max(span[0], moment)))
}
