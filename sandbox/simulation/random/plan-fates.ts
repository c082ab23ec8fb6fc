import type { Clock } from '../../../shared/clock/clock.ts'
import type { Fate, Fates } from '../process/exchange.ts'
import type { Random } from '../random.ts'
import type { FaultWindow, InjectedFault, WorldPlan } from './world-plan.ts'

/** The fates of a plan. Each window draws from a source of its own, so that others can be left out. */
export const planFates = (
  { actions, latencyMs }: Pick<WorldPlan, 'actions' | 'latencyMs'>,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Fates & { stop(): void } => {
  const start = clock.now()
  let isStopped = false
  const windows = actions
    .filter((action): action is FaultWindow & { readonly at: number } => action.kind === 'faults')
    .map(window => ({
      window,
      random: random.fork(JSON.stringify(window)),
      from: start + window.at,
      until: start + window.at + window.forMs,
    }))
  const latencies = random.fork('latencies')
  const latency = () => (latencyMs === 0 ? 0 : latencies.int(latencyMs))
  const fates: Fates = (_, { way }) => {
    const now = clock.now()
    if (!isStopped)
      for (const { window, random: own, from, until } of windows)
        if (window.way === way && from <= now && now < until && own.chance(window.rate))
          return fateOf(window.fault, own)
    return { kind: 'pass', beforeMs: latency(), afterMs: latency() }
  }
  return Object.assign(fates, {
    stop: () => {
      isStopped = true
    },
  })
}

/** A broker holds an event for seconds, or until the bridge has long sent another. */
const lateMs = [0, 2_000, 30_000, 10 * 60_000]

const fateOf = (fault: InjectedFault, random: Random): Fate => {
  switch (fault) {
    case 'crash before':
      return { kind: 'crash', when: 'before' }
    case 'crash after':
      return { kind: 'crash', when: 'after' }
    case 'silence':
      return { kind: 'silence', acted: false }
    case 'silent effect':
      return { kind: 'silence', acted: true }
    case 'late':
      return { kind: 'pass', beforeMs: random.pick(lateMs) }
    case 'twice':
      return { kind: 'twice', againMs: random.pick(lateMs) }
    case 'lost':
    case 'unreachable':
      return { kind: fault }
    default:
      return { kind: 'refused', status: fault }
  }
}
