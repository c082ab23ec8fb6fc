import { useComputed } from '@preact/signals'
import { momentText } from '../../view/durations.ts'
import { objectLines } from '../../view/object-lines.ts'
import { changedBetween, objectAt } from '../../view/objects-at.ts'
import { type DiffLine, diffLines } from '../diff-lines.ts'
import type { PartProps } from '../parts/part-props.ts'

/** Without a mark: the changes of the last ten minutes before the moment. */
const usualSpan = 10 * 60_000

/** The difference of the shoot's objects between two moments. */
export const ChangesView = ({ state, controls }: PartProps) => {
  const changes = useComputed(() => {
    const versions = state.history.value?.objects ?? []
    const marked = state.from.value ?? state.moment.value - usualSpan
    const [from, to] = [marked, state.moment.value].sort((a, b) => a - b) as [number, number]
    const byId = Map.groupBy(versions, ({ id }) => id)
    const changed = changedBetween(versions, from, to).flatMap(id => {
      const own = byId.get(id) ?? []
      const before = objectAt(own, from)
      const after = objectAt(own, to)
      const lines = diffLines(objectLines(before), objectLines(after))
      return lines.length === 0
        ? []
        : [{ id, isNew: before === undefined, isGone: after === undefined, lines }]
    })
    return { from, to, changed }
  })
  const { from, to, changed } = changes.value
  return (
    <div class="changes">
      <p class="span">
        From{' '}
        <button type="button" class="link" onClick={() => controls.goTo(from)}>
          {momentText(from)}
        </button>{' '}
        to{' '}
        <button type="button" class="link" onClick={() => controls.goTo(to)}>
          {momentText(to)}
        </button>
        .{' '}
        <button type="button" onClick={controls.mark}>
          Mark this moment <kbd>m</kbd>
        </button>{' '}
        <button
          type="button"
          disabled={state.from.value === undefined}
          onClick={() => {
            state.from.value = undefined
          }}
        >
          Last ten minutes
        </button>
      </p>
      {changed.length === 0 && <p class="empty">No object changed between these moments.</p>}
      {changed.map(({ id, isNew, isGone, lines }) => (
        <details key={id} class="change" open={state.node.value === undefined || state.node.value === id}>
          <summary>
            {id} <span class="dim">{isNew ? 'created' : isGone ? 'deleted' : counted(lines)}</span>
          </summary>
          <pre class="diff">
            {lines.map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </pre>
        </details>
      ))}
    </div>
  )
}

const Line = ({ line }: { readonly line: DiffLine }) =>
  line.kind === 'gap' ? (
    <span class="gap">{`  … ${line.lines} unchanged lines\n`}</span>
  ) : (
    <span class={line.kind}>{`${signs[line.kind]} ${line.text}\n`}</span>
  )

const signs = { same: ' ', added: '+', removed: '-' } as const

const counted = (lines: readonly DiffLine[]): string => {
  const count = (kind: string) => lines.filter(line => line.kind === kind).length
  return `+${count('added')} −${count('removed')}`
}
