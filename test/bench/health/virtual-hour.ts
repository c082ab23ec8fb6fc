import { createBridge } from '../../../bridge/bridge.ts'
import { definition as controlPlane } from '../../../functions/aws/controlplane/function.ts'
import { definition as worker } from '../../../functions/aws/worker/function.ts'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import type { ExtensionEvent } from '../../../shared/events/events.ts'
import { createKubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { eventHandler } from '../../../shared/runtime/runtime.ts'
import { above, atMost, type Benchmark, type Figure, here } from '../figure.ts'
import { type Awake, awakeBy } from './awake.ts'
import { shootObjects, statusResources } from './shoots.ts'

const hourMs = 3_600_000
const stepMs = 1_000
const counts = [1, 5, 20, 250]
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const start = Date.parse('2026-11-21T12:00:00Z')

/**
 * Measures the first two hours of a bridge with healthy shoots, on a virtual clock: how long functions would be awake,
 * and how often they write.
 */
export const virtualHour: Benchmark = {
  name: 'health-hour',
  run: async () => {
    const figures: Figure[] = []
    for (const count of counts) figures.push(...(await hourOf(count)))
    return figures
  },
}

const hourOf = async (shoots: number): Promise<readonly Figure[]> => {
  const clock = virtualClock(start)
  const objects = Array.from({ length: shoots }, (_, index) => shootObjects(index, undefined, start)).flat()
  const server = createApiServer({
    clock,
    deletionProtection: false,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds(), ...objects],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  // A create request ignores the status.
  for (const { kind, metadata, status } of objects) {
    const resource = statusResources[kind]
    const { name, namespace = '' } = metadata
    if (resource && status)
      await kubernetes.patch(resource, { name, namespace }, { status }, { subresource: 'status' })
  }
  let writes = 0
  server.store.subscribe(resource => {
    if (/^(controlplanes|workers)\b/.test(resource)) writes++
  })
  const functions = [controlPlane, worker].map(definition => ({
    ...definition,
    handle: eventHandler(definition, definition.settings.parse({}), { kubernetes, clock, log: silent }),
  }))
  const events: ExtensionEvent[] = []
  const bridge = createBridge({
    kubernetes,
    clock,
    log: silent,
    selection: {
      kinds: ['ControlPlane', 'Worker'],
      types: [],
      classes: ['shoot'],
      namespaces: [],
    },
    source: '/seeds/bench',
    send: async (event, signal) => {
      events.push(event)
      // A broker answers before the function.
      void functions.find(({ kind }) => kind === event.kind)?.handle(event, signal)
      return { kind: 'accepted' }
    },
  })
  const stop = new AbortController()
  const running = bridge.run(stop.signal)
  try {
    const hour = async () => {
      for (let ms = 0; ms < hourMs; ms += stepMs) await clock.advance(stepMs)
      return { events: events.splice(0), writes }
    }
    const first = await hour()
    return figuresOf(shoots, first, await hour())
  } finally {
    stop.abort()
    await clock.advance(5_000)
    await running
    server.close()
  }
}

/** The events of an hour, and the status writes until its end. */
interface Hour {
  readonly events: readonly ExtensionEvent[]
  readonly writes: number
}

const figuresOf = (shoots: number, { events, writes }: Hour, second: Hour): readonly Figure[] => {
  const until = start + hourMs
  const now = awakeIn(events, start)
  const later = awakeIn(second.events, until)
  const before = earlierTimes(shoots)
  const then = awakeBy(before, { from: start, until, retentionMs: 60_000 })
  const name = `${shoots} healthy ${shoots === 1 ? 'shoot' : 'shoots'}, one hour`
  return [
    {
      name: `${name}: a function is at zero`,
      value: leastAtZero(now) * 100,
      unit: '%',
      target: above(90),
      reference: {
        name: 'a check of each object every 240 to 280 s',
        value: then.atZero * 100,
        source: here,
      },
      with: `from the start of the bridge, window of 60 s; ${events.length} checks; in the second hour ${(leastAtZero(later) * 100).toFixed(1)} %, ${mostStarts(later)} starts, ${second.events.length} checks, ${second.writes - writes} writes`,
    },
    {
      name: 'the same: starts of a function',
      value: mostStarts(now),
      unit: 'starts',
      target: atMost(4),
      reference: { name: 'a check of each object every 240 to 280 s', value: then.starts, source: here },
    },
    {
      name: 'the same: status writes',
      value: writes / (hourMs / 1_000),
      unit: 'writes/s',
      target: atMost(0.3),
      reference: {
        name: 'a write for each check',
        value: (2 * before.length) / (hourMs / 1_000),
        source: here,
      },
    },
  ]
}

const awakeIn = (events: readonly ExtensionEvent[], from: number): readonly Awake[] =>
  functionsOf(events).map(times => awakeBy(times, { from, until: from + hourMs, retentionMs: 0 }))

const leastAtZero = (all: readonly Awake[]): number => Math.min(...all.map(({ atZero }) => atZero))
const mostStarts = (all: readonly Awake[]): number => Math.max(...all.map(({ starts }) => starts))

/** Returns the times of the events of each function. */
const functionsOf = (events: readonly ExtensionEvent[]): readonly (readonly number[])[] =>
  ['ControlPlane', 'Worker'].map(kind =>
    events.filter(event => event.kind === kind).map(({ time }) => Date.parse(time)),
  )

/** Returns the times of the checks of one function by the former rule, with the checks of a start within a minute. */
const earlierTimes = (shoots: number): readonly number[] =>
  Array.from({ length: shoots }, () => {
    const times: number[] = []
    for (let at = Math.random() * 60_000; at < hourMs; at += 240_000 + Math.random() * 40_000)
      times.push(start + at)
    return times
  }).flat()
