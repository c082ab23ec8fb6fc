import { scaleUtc } from 'd3-scale'
import type { NodeState } from '../../../observe/observe.ts'
import type { GapMark, StepBar } from '../../model/history.ts'
import { nextText } from '../../view/durations.ts'
import { type TimelineRow, usualMs } from '../../view/timeline-rows.ts'
import type { Span } from '../../view/timeline-span.ts'

export const rowHeight = 30
export const rulerHeight = 28

export interface Drawing {
  readonly rows: readonly TimelineRow[]
  readonly span: Span
  readonly width: number
  readonly moment: number
  readonly now: number
  readonly mark: number | undefined
  readonly gaps: readonly GapMark[]
  readonly chosen: string | undefined
  /** Drawn again if it changes. */
  readonly theme: string
}

/** A brush with the colours of the theme. */
interface Brush {
  readonly paint: CanvasRenderingContext2D
  readonly x: (time: number) => number
  readonly color: (name: string) => string
  readonly width: number
}

export const drawTimeline = (canvas: HTMLCanvasElement, drawing: Drawing, height: number): void => {
  const { span, width, rows, gaps } = drawing
  const ratio = window.devicePixelRatio || 1
  const pixels = [Math.round(width * ratio), Math.round(height * ratio)] as const
  if (canvas.width !== pixels[0]) canvas.width = pixels[0]
  if (canvas.height !== pixels[1]) canvas.height = pixels[1]
  const paint = canvas.getContext('2d')
  if (paint === null) return
  const style = getComputedStyle(canvas)
  const colors = new Map<string, string>()
  const color = (name: string) => {
    const known = colors.get(name) ?? style.getPropertyValue(`--${name}`)
    colors.set(name, known)
    return known
  }
  const scale = scaleUtc().domain(span).range([0, width])
  const brush: Brush = { paint, x: time => scale(time), color, width }
  paint.setTransform(ratio, 0, 0, ratio, 0, 0)
  paint.clearRect(0, 0, width, height)
  paint.font = '12px system-ui, sans-serif'
  paint.textBaseline = 'middle'

  const ticks = scale.ticks(Math.max(2, Math.floor(width / 110)))
  const format = tickFormat(Number(ticks[1]) - Number(ticks[0]))
  for (const tick of ticks) {
    paint.fillStyle = color('line')
    paint.fillRect(scale(tick), rulerHeight - 6, 1, height)
    paint.fillStyle = color('dim')
    paint.fillText(format(tick), scale(tick) + 4, rulerHeight / 2)
  }
  for (const { at, until } of gaps) {
    paint.fillStyle = color('gap')
    const x = brush.x(at)
    paint.fillRect(x, rulerHeight, Math.max(2, brush.x(until ?? at) - x), height)
  }
  rows.forEach((row, index) => {
    const y = rulerHeight + index * rowHeight
    if (row.id === drawing.chosen) {
      paint.fillStyle = color('chosen')
      paint.fillRect(0, y, width, rowHeight)
    }
    drawStates(brush, row, y, drawing.now)
    drawEvents(brush, row, y)
    for (const step of row.steps) drawStep(brush, step, y)
    drawNext(brush, row, y, drawing.moment)
  })
  drawLine(brush, drawing.mark, height, 'mark')
  drawLine(brush, drawing.moment, height, 'moment')
}

/** `14:03`, with seconds and milliseconds where ticks are close. */
const tickFormat =
  (distance: number) =>
  (tick: Date): string =>
    tick.toISOString().slice(11, distance >= 60_000 ? 16 : distance >= 1000 ? 19 : 23)

/** The state as a thin band, with the reason for a wait where there is room. */
const drawStates = ({ paint, x, color, width }: Brush, { versions }: TimelineRow, y: number, now: number) => {
  versions.forEach(({ at, node }, index) => {
    if (node === undefined) return
    const start = Math.max(0, x(at))
    const end = Math.min(width, x(versions[index + 1]?.at ?? now))
    if (end <= 0 || start >= width) return
    paint.fillStyle = color(node.state)
    paint.globalAlpha = node.state === 'ok' ? 0.35 : 0.9
    paint.fillRect(start, y + rowHeight - 6, Math.max(1, end - start), 3)
    paint.globalAlpha = 1
    if (node.why === undefined || end - start < 90) return
    paint.fillStyle = color('dim')
    clipped(paint, node.why, start + 6, y + 12, end - start - 12)
  })
}

const colorOf = ({ outcome }: StepBar): NodeState =>
  outcome === 'failed'
    ? 'failed'
    : outcome === 'succeeded'
      ? 'ok'
      : outcome === 'waits'
        ? 'waiting'
        : 'working'

const drawStep = ({ paint, x, color, width }: Brush, step: StepBar, y: number) => {
  const start = x(step.at)
  const length = Math.max(2, x(step.at + step.ms) - start)
  if (start > width || start + length < 0) return
  paint.fillStyle = color('panel')
  paint.fillRect(start - 1, y + 4, length + 2, 17)
  paint.fillStyle = color(colorOf(step))
  paint.globalAlpha = 0.85
  paint.fillRect(start, y + 5, length, 15)
  paint.globalAlpha = 1
  if (length < 24) return
  for (const call of step.calls) {
    const begin = x(step.at + call.after)
    paint.fillStyle = color(call.error === undefined ? 'call' : 'failed')
    paint.fillRect(
      begin,
      y + (call.to === 'cloud' ? 6 : 13),
      Math.max(1, x(step.at + call.after + call.ms) - begin),
      6,
    )
  }
}

/** An arrow from the event to the step that it started. */
const drawEvents = ({ paint, x, color, width }: Brush, { events, steps }: TimelineRow, y: number) => {
  const byEvent = new Map(steps.map(step => [step.event, step]))
  paint.lineWidth = 1.5
  for (const { id, at } of events) {
    const from = x(at)
    if (from > width || from < -width) continue
    const step = byEvent.get(id)
    const to = step === undefined ? from + 6 : Math.max(from + 3, x(step.at))
    paint.strokeStyle = color(step === undefined ? 'dim' : 'event')
    paint.fillStyle = paint.strokeStyle
    paint.beginPath()
    paint.moveTo(from, y + 2)
    paint.lineTo(from, y + 12)
    paint.lineTo(to, y + 12)
    paint.stroke()
    paint.beginPath()
    paint.moveTo(to, y + 12)
    paint.lineTo(to - 4, y + 9)
    paint.lineTo(to - 4, y + 15)
    paint.fill()
  }
}

/** The step that comes next, as a dashed bar. */
const drawNext = (
  { paint, x, color, width }: Brush,
  { next, steps }: TimelineRow,
  y: number,
  moment: number,
) => {
  if (next?.at === undefined) return
  const at = Math.max(next.at, moment)
  const start = x(at)
  if (start > width) {
    paint.fillStyle = color('dim')
    const text = `${nextText(next, moment)} ▸`
    paint.fillText(text, width - paint.measureText(text).width - 6, y + 12)
    return
  }
  const length = Math.max(10, x(at + usualMs(steps)) - start)
  paint.strokeStyle = color('event')
  paint.setLineDash([4, 3])
  paint.strokeRect(start, y + 5.5, length, 14)
  paint.setLineDash([])
  // Covers entries that are drawn there.
  paint.fillStyle = color('panel')
  paint.fillRect(start + length + 2, y + 4, paint.measureText(next.what).width + 6, 17)
  paint.fillStyle = color('text')
  paint.fillText(next.what, start + length + 5, y + 12)
}

const drawLine = ({ paint, x, color }: Brush, time: number | undefined, height: number, name: string) => {
  if (time === undefined) return
  paint.fillStyle = color(name)
  paint.fillRect(Math.round(x(time)), 0, 1.5, height)
}

const clipped = (paint: CanvasRenderingContext2D, text: string, x: number, y: number, width: number) => {
  const fits = Math.floor(width / 6)
  paint.fillText(text.length > fits ? `${text.slice(0, Math.max(0, fits - 1))}…` : text, x, y)
}
