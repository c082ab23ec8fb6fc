import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { stepAt, timelineSpan, zoomed } from '../../view/timeline-span.ts'
import { CutName } from '../parts/cut-name.tsx'
import type { PartProps } from '../parts/part-props.ts'
import { StateMark } from '../parts/state-mark.tsx'
import { type Drawing, drawTimeline, rowHeight, rulerHeight } from './draw-timeline.ts'

/** Objects as rows; steps with their calls as bars; events as arrows; announced steps as dashed bars. */
export const TimelineView = ({ state, controls }: PartProps) => {
  const rows = state.rows.value
  const history = state.history.value
  const span = useComputed(
    () =>
      state.visible.value ??
      timelineSpan(state.history.value, { now: state.now.value, moment: state.moment.value }),
  )
  const hovered = useSignal<string>('')
  return (
    <div class="timeline">
      <p class="unseen">
        The chart shows {rows.length} objects and {history?.steps.length ?? 0} steps. Choose an object to read
        its steps and calls as a table.
      </p>
      <div class="chart">
        <ul class="labels" style={{ paddingTop: `${rulerHeight}px` }}>
          {rows.map(({ id, title, depth, versions }) => (
            <li key={id} style={{ height: `${rowHeight}px`, paddingLeft: `${depth * 12 + 8}px` }}>
              <button
                type="button"
                class="link"
                aria-current={state.node.value === id ? 'true' : undefined}
                title={id}
                onClick={() => controls.choose(id)}
              >
                <StateMark
                  state={versions.findLast(({ at }) => at <= state.moment.value)?.node?.state ?? 'gone'}
                />
                <CutName name={title} />
              </button>
            </li>
          ))}
        </ul>
        <Chart
          state={state}
          controls={controls}
          span={span.value}
          onHover={text => {
            hovered.value = text
          }}
        />
      </div>
      <p class="hover dim" aria-live="off">
        {hovered.value ||
          'Click a bar for its calls. Scroll with Ctrl to zoom, with Shift to move; + − 0 zoom, too.'}
      </p>
    </div>
  )
}

const Chart = ({
  state,
  controls,
  span,
  onHover,
}: PartProps & {
  readonly span: readonly [number, number]
  readonly onHover: (text: string) => void
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useSignal(0)
  const rows = state.rows.value
  const height = rulerHeight + rows.length * rowHeight
  const drawing: Drawing = {
    rows,
    span,
    width: width.value,
    moment: state.moment.value,
    now: state.now.value,
    mark: state.from.value,
    gaps: state.overview.value?.gaps ?? [],
    chosen: state.node.value,
    theme: state.theme.value,
  }
  useEffect(() => {
    const { current } = canvas
    if (current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) width.value = Math.floor(entry.contentRect.width)
    })
    observer.observe(current.parentElement ?? current)
    return () => observer.disconnect()
  }, [width])
  useEffect(() => {
    if (canvas.current !== null && width.value > 0) drawTimeline(canvas.current, drawing, height)
  })

  const timeAt = (x: number) => span[0] + (x / Math.max(1, width.value)) * (span[1] - span[0])
  const rowAt = (y: number) => rows[Math.floor((y - rulerHeight) / rowHeight)]
  /** A bar is at least two pixels wide, and a click may miss it by some. */
  const found = (x: number, y: number) =>
    stepAt(rowAt(y)?.steps ?? [], timeAt(x), ((span[1] - span[0]) / Math.max(1, width.value)) * 4)

  return (
    <div class="plot">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Timeline of ${rows.length} objects`}
        style={{ height: `${height}px` }}
        onClick={({ offsetX, offsetY }) => {
          const row = rowAt(offsetY)
          if (offsetY < rulerHeight || row === undefined) return controls.goTo(timeAt(offsetX))
          controls.choose(row.id)
          state.step.value = found(offsetX, offsetY)
          if (state.step.value !== undefined) state.tab.value = 'steps'
        }}
        onMouseMove={({ offsetX, offsetY, buttons, movementX }) => {
          if (buttons === 1) {
            const by = (-movementX / Math.max(1, width.value)) * (span[1] - span[0])
            state.visible.value = [span[0] + by, span[1] + by]
            return
          }
          const step = found(offsetX, offsetY)
          const failed = step?.calls.find(({ error }) => error !== undefined)
          const why = step?.reason ?? (failed && `failed: ${failed.name} ${failed.error}`)
          onHover(
            step === undefined
              ? ''
              : `${step.object}: ${step.operation} ${step.outcome}, ${step.calls.length} calls${why === undefined ? '' : `, ${why}`}`,
          )
        }}
        onWheel={event => {
          const { ctrlKey, metaKey, shiftKey, deltaX, deltaY, offsetX } = event
          if (ctrlKey || metaKey) {
            event.preventDefault()
            state.visible.value = zoomed(span, 1.002 ** deltaY, timeAt(offsetX))
          } else if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) {
            event.preventDefault()
            const by = ((deltaX || deltaY) / Math.max(1, width.value)) * (span[1] - span[0])
            state.visible.value = [span[0] + by, span[1] + by]
          }
        }}
      />
    </div>
  )
}
