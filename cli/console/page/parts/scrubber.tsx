import { useComputed } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { clockText, durationText, momentText } from '../../view/durations.ts'
import { densityOf } from '../../view/happenings.ts'
import type { ConsoleState } from '../state.ts'
import type { PartProps } from './part-props.ts'

const columns = 240

/** Chooses the moment. The columns show when the shoot had steps, and when they failed. */
export const Scrubber = ({ state, controls }: PartProps) => {
  const overview = state.overview.value
  if (overview === undefined) return null
  const moment = state.moment.value
  const from = overview.from
  const to = Math.max(state.now.value, from + 1)
  const isNow = state.at.value === undefined
  return (
    <footer class="scrubber">
      <div class="moments">
        <button
          type="button"
          aria-label="Previous change"
          title="Previous change (←)"
          onClick={() => controls.goBy(-1)}
        >
          ‹
        </button>
        <button
          type="button"
          aria-label="Next change"
          title="Next change (→)"
          onClick={() => controls.goBy(1)}
        >
          ›
        </button>
        <output class="moment">
          {momentText(moment)}
          <span class="dim">
            {' '}
            {isNow ? (overview.live ? 'now' : 'the end') : `${durationText(to - moment)} before`}
          </span>
        </output>
        <button
          type="button"
          class={isNow ? 'on' : ''}
          aria-pressed={isNow}
          onClick={() => controls.goTo(undefined)}
        >
          {overview.live ? 'Live' : 'End'} <kbd>l</kbd>
        </button>
      </div>
      <div class="track">
        <Columns state={state} from={from} to={to} />
        <input
          type="range"
          aria-label="Moment"
          aria-valuetext={momentText(moment)}
          min={from}
          max={to}
          step="any"
          value={moment}
          onInput={event => controls.goTo(Number(event.currentTarget.value))}
        />
        <span class="edge">{clockText(from)}</span>
        <span class="edge">{clockText(to)}</span>
      </div>
    </footer>
  )
}

const Columns = ({
  state,
  from,
  to,
}: {
  readonly state: ConsoleState
  readonly from: number
  readonly to: number
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  /** A live end moves each second; the columns move each minute. */
  const end = from + Math.ceil((to - from) / 60_000) * 60_000
  const density = useComputed(() => densityOf(state.history.value?.steps ?? [], { from, to: end }, columns))
  const { all, failed } = density.value
  const theme = state.theme.value
  useEffect(() => {
    const paint = canvas.current?.getContext('2d')
    if (!canvas.current || !paint) return
    const style = getComputedStyle(canvas.current)
    const height = canvas.current.height
    const most = Math.max(1, ...all)
    paint.clearRect(0, 0, canvas.current.width, height)
    const bar = (index: number, count: number, name: string) => {
      if (count === 0) return
      const size = Math.max(3, Math.sqrt(count / most) * height)
      paint.fillStyle = style.getPropertyValue(name)
      paint.fillRect(index * 4, height - size, 3, size)
    }
    all.forEach((count, index) => void bar(index, count, '--column'))
    failed.forEach((count, index) => void bar(index, count, '--failed'))
  }, [all, failed, theme])
  return <canvas ref={canvas} width={columns * 4} height={36} />
}
