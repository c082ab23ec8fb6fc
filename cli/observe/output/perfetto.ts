import { parseTimestamp, type Timestamp } from '../../../shared/clock/clock.ts'
import type { StepEntry } from '../../../shared/journal/journal.ts'
import { factsOf } from '../../../shared/lifecycle/lifecycle.ts'
import { printableJson } from '../../../shared/text/printable.ts'
import { isFailedCall } from '../nodes/step-nodes.ts'
import { type SeedView, viewIdOf } from '../seed-view.ts'
import { extensionsOf, stepsOf } from '../shoot-of.ts'
import type { TreeNode } from '../tree.ts'

/** An event of Chrome's trace format, which ui.perfetto.dev opens. Times are in µs. */
interface TraceEvent {
  readonly name: string
  /** X: a slice with a duration; i: a moment; M: a name of a row. */
  readonly ph: 'X' | 'i' | 'M'
  readonly ts: number
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly cat?: string
  readonly s?: 't'
  readonly args?: Readonly<Record<string, unknown>>
}

const pid = 1
const micro = (milliseconds: number): number => Math.round(milliseconds * 1000)

/**
 * Formats a shoot as a Chrome trace: a row for each object with its steps and their calls, the wait or claim that is
 * going on, and what comes next.
 */
export const treeAsPerfetto = (tree: TreeNode, view: SeedView, technical: string): string => {
  const objects = new Map(extensionsOf(view, technical).map(object => [viewIdOf(object), object]))
  const steps = Map.groupBy(stepsOf(view, technical), ({ object }) => object)
  const nodes = new Map(tree.children.map(node => [node.id, node]))
  const ids = [...new Set([...nodes.keys(), ...steps.keys()])].filter(id => objects.has(id) || steps.has(id))
  const events = ids.flatMap((id, index) => {
    const tid = index + 1
    const object = objects.get(id)
    const node = nodes.get(id)
    return [
      nameEvent('thread_name', id, tid),
      ...(steps.get(id) ?? []).flatMap(step => stepEvents(step, tid)),
      ...(object === undefined ? [] : stillOpen(factsOf(object).step, node, view.at, tid)),
      ...(node === undefined ? [] : nextEvent(node, view.at, tid)),
    ]
  })
  const sent = (view.events ?? []).flatMap(({ at, event }): readonly TraceEvent[] => {
    const id = `${String(event.kind)} ${event.subject}`
    const index = ids.indexOf(id)
    if (index < 0) return []
    return [
      {
        name: `event ${event.type.split('.').at(-1) ?? ''}`,
        cat: 'event',
        ph: 'i',
        s: 't',
        ts: micro(Date.parse(at)),
        pid,
        tid: index + 1,
        args: { ...event },
      },
    ]
  })
  return `${printableJson(
    {
      displayTimeUnit: 'ms',
      traceEvents: [nameEvent('process_name', tree.title, 0), ...events, ...sent],
    },
    1,
  )}\n`
}

const nameEvent = (name: string, value: string, tid: number): TraceEvent => ({
  name,
  ph: 'M',
  ts: 0,
  pid,
  tid,
  args: { name: value },
})

const stepEvents = (step: StepEntry, tid: number): readonly TraceEvent[] => {
  const began = parseTimestamp(step.began) ?? 0
  const slice = (
    name: string,
    ts: number,
    ms: number,
    rest: Pick<TraceEvent, 'cat' | 'args'>,
  ): TraceEvent => ({
    name,
    ph: 'X',
    ts: micro(ts),
    dur: micro(ms),
    pid,
    tid,
    ...rest,
  })
  const { event, traceparent, outcome, reason, function: name } = step
  return [
    slice(`${step.operation}: ${outcome}`, began, step.ms, {
      cat: 'step',
      args: { function: name, event, traceparent, outcome, reason },
    }),
    ...step.calls.map(call => {
      const { after: _, ms: __, ...args } = call
      return slice(
        `${call.name}${isFailedCall(call) ? ` ✗ ${call.error ?? call.status}` : ''}`,
        began + call.after,
        call.ms,
        {
          cat: call.to,
          args,
        },
      )
    }),
  ]
}

/** The claim or the wait that is going on, from the annotation of the object. */
const stillOpen = (
  step: ReturnType<typeof factsOf>['step'],
  node: TreeNode | undefined,
  now: Timestamp,
  tid: number,
): readonly TraceEvent[] => {
  const until = parseTimestamp(step?.until)
  if (step === undefined || until === undefined || node?.why === undefined) return []
  const began = until - (step.durationMs ?? 0)
  if (began > now) return []
  return [
    {
      name: step.phase === 'claimed' ? `a step of ${step.operation} is running` : node.why,
      cat: step.phase,
      ph: 'X',
      ts: micro(began),
      dur: micro(Math.max(now, began) - began),
      pid,
      tid,
    },
  ]
}

const nextEvent = ({ next }: TreeNode, now: Timestamp, tid: number): readonly TraceEvent[] =>
  next === undefined
    ? []
    : [
        {
          name: `next: ${next.what}`,
          cat: 'next',
          ph: 'i',
          s: 't',
          ts: micro(next.at ?? now),
          pid,
          tid,
          args: { event: next.event },
        },
      ]
