import type { Signal } from '@preact/signals'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { NodeState } from '../../../observe/observe.ts'
import { type CauseGroup, type CauseRow, causeRows } from '../../view/by-cause.ts'
import type { ListedShoot } from '../../view/filter-shoots.ts'
import { CutName } from './cut-name.tsx'
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
      <fieldset class="chips" aria-label="Order of the list">
        {[false, true].map(byCause => (
          <button
            key={String(byCause)}
            type="button"
            class="chip"
            aria-pressed={state.isByCause.value === byCause}
            onClick={() => {
              state.isByCause.value = byCause
            }}
          >
            {byCause ? `By cause (${state.causes.value.length})` : 'By shoot'}
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
  const closed = useSignal<ReadonlySet<string>>(new Set())
  const isByCause = state.isByCause.value
  const rows: readonly (CauseRow | { readonly shoot: ListedShoot })[] = isByCause
    ? causeRows(state.causes.value, closed.value)
    : state.shoots.value.map(shoot => ({ shoot }))
  const first = Math.max(0, Math.floor(top.value / rowHeight) - 4)
  const last = Math.ceil((top.value + height.value) / rowHeight) + 4
  const isLoading = state.overview.value === undefined
  const toggle = (id: string) => {
    const next = new Set(closed.peek())
    if (!next.delete(id)) next.add(id)
    closed.value = next
  }
  return (
    <ul
      ref={list}
      class="rows"
      aria-busy={isLoading}
      onScroll={event => {
        top.value = event.currentTarget.scrollTop
      }}
    >
      {rows.length === 0 && (
        <li class="empty">
          {isLoading
            ? state.problem.value === undefined && 'Reading the shoots…'
            : isByCause
              ? 'No shoot of the filter fails.'
              : 'No shoot matches the filter.'}
        </li>
      )}
      <li class="space" aria-hidden="true" style={{ height: `${first * rowHeight}px` }} />
      {rows
        .slice(first, last)
        .map(row =>
          'isOpen' in row ? (
            <Cause
              key={row.group.id}
              group={row.group}
              isOpen={row.isOpen}
              onToggle={() => toggle(row.group.id)}
            />
          ) : (
            <Row
              key={`${'group' in row ? row.group.id : ''} ${row.shoot.id}`}
              shoot={row.shoot}
              isInside={isByCause}
              isOpen={state.shoot.value === row.shoot.id}
              onOpen={() => controls.open(row.shoot.id)}
            />
          ),
        )}
      <li
        class="space"
        aria-hidden="true"
        style={{ height: `${Math.max(0, rows.length - last) * rowHeight}px` }}
      />
    </ul>
  )
}

const Cause = ({
  group: { cause, codes, shoots },
  isOpen,
  onToggle,
}: {
  readonly group: CauseGroup
  readonly isOpen: boolean
  readonly onToggle: () => void
}) => (
  <li>
    <button type="button" class="row cause" aria-expanded={isOpen} title={cause} onClick={onToggle}>
      <span class={`twist ${isOpen ? 'open' : ''}`} aria-hidden="true" />
      <span class="name">
        <span class="codes">{codes.join(' ') || 'no code'}</span>{' '}
        <span class="count">{shoots.length === 1 ? '1 shoot' : `${shoots.length} shoots`}</span>
      </span>
      <span class="about">{cause}</span>
    </button>
  </li>
)

const Row = ({
  shoot: { id, garden, now },
  isInside,
  isOpen,
  onOpen,
}: {
  readonly shoot: ListedShoot
  readonly isInside: boolean
  readonly isOpen: boolean
  readonly onOpen: () => void
}) => {
  const { overdue, problems = [], why = `${now.objects} objects` } = now
  const codes = [...new Set(problems.flatMap(problem => problem.codes))].join(' ')
  return (
    <li>
      <button
        type="button"
        class={`row ${isInside ? 'below' : ''} ${overdue === undefined ? '' : 'overdue'}`}
        aria-current={isOpen ? 'true' : undefined}
        title={`${id}\n${codes} ${why}`}
        onClick={onOpen}
      >
        <StateMark state={now.state} />
        <span class="name">
          <CutName name={id === '' ? 'Seed' : (garden ?? id)} />
        </span>
        <span class="about">
          {codes !== '' && !isInside && <span class="codes">{codes} </span>}
          {overdue !== undefined && <strong>{overdue} overdue </strong>}
          {why}
        </span>
      </button>
    </li>
  )
}

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
