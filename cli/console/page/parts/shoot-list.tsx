import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { NodeState } from '../../../observe/observe.ts'
import type { ListedShoot } from '../../view/filter-shoots.ts'
import type { PartProps } from './part-props.ts'
import { StateMark } from './state-mark.tsx'

const filters: readonly NodeState[] = ['failed', 'waiting', 'working', 'unknown', 'ok']
/** Height of a row in pixels. Only the visible rows are in the document. */
const rowHeight = 46

export const ShootList = ({ state, controls }: PartProps) => (
  <nav class="shoots" aria-label="Shoots">
    <Filters state={state} controls={controls} />
    <Rows state={state} controls={controls} />
  </nav>
)

const Filters = ({ state, controls }: PartProps) => {
  const all = state.allShoots.value
  return (
    <div class="filters">
      <input
        id="filter"
        type="search"
        placeholder="Filter shoots  /"
        aria-label="Filter shoots by name or reason"
        value={state.text.value}
        onInput={event => {
          state.text.value = event.currentTarget.value
        }}
      />
      <fieldset class="chips" aria-label="Filter by state">
        {filters.map(one => (
          <button
            key={one}
            type="button"
            class={`chip ${one}`}
            aria-pressed={state.states.value.has(one)}
            onClick={() => controls.toggleState(one)}
          >
            <StateMark state={one} />
            {all.filter(({ now }) => now.state === one).length} {one}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

const Rows = ({ state, controls }: PartProps) => {
  const top = useSignal(0)
  const height = useSignal(800)
  const list = useRef<HTMLUListElement>(null)
  useHeight(list, height)
  const shoots = state.shoots.value
  const first = Math.max(0, Math.floor(top.value / rowHeight) - 4)
  const last = Math.ceil((top.value + height.value) / rowHeight) + 4
  return (
    <ul
      ref={list}
      class="rows"
      onScroll={event => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      {shoots.length === 0 && <li class="empty">No shoot matches the filter.</li>}
      <li class="space" aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />
      {shoots.slice(first, last).map(shoot => (
        <Row
          key={shoot.id}
          shoot={shoot}
          isOpen={state.shoot.value === shoot.id}
          onOpen={() => controls.open(shoot.id)}
        />
      ))}
      <li
        class="space"
        aria-hidden="true"
        style={{ height: `${Math.max(0, shoots.length - last) * rowHeight}px` }}
      />
    </ul>
  )
}

const Row = ({
  shoot: { id, garden, now },
  isOpen,
  onOpen,
}: {
  readonly shoot: ListedShoot
  readonly isOpen: boolean
  readonly onOpen: () => void
}) => (
  <li>
    <button type="button" class="row" aria-current={isOpen ? 'true' : undefined} title={id} onClick={onOpen}>
      <StateMark state={now.state} />
      <span class="name">{id === '' ? 'Seed' : (garden ?? id)}</span>
      <span class="about">{now.why ?? `${now.objects} objects`}</span>
    </button>
  </li>
)

const useHeight = (element: { readonly current: Element | null }, height: Signal<number>) =>
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(() => {
      height.value = current.clientHeight
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, height])
