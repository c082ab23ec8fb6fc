import type { NodeState } from '../../../observe/observe.ts'

/** A shape for each state, because colours alone do not reach everybody. */
const shapes: Readonly<Record<NodeState, string>> = {
  ok: 'M2.5 6.5 5 9l4.5-6',
  gone: 'M2 6h8',
  unknown: 'M4 4.2a2 2 0 1 1 2.6 2c-.5.2-.6.5-.6 1M6 9.5v.4',
  working: 'M6 1.5A4.5 4.5 0 1 1 1.5 6',
  waiting: 'M6 2.5V6l2.5 1.5M6 1.2a4.8 4.8 0 1 0 .01 0',
  failed: 'M2.5 2.5l7 7M9.5 2.5l-7 7',
}

export const StateMark = ({ state, label }: { readonly state: NodeState; readonly label?: boolean }) => (
  <span class={`mark ${state}`}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={shapes[state]} />
    </svg>
    <span class={label ? '' : 'unseen'}>{state}</span>
  </span>
)
