import type { Store } from '../../kubernetes/kubernetes.ts'
import type { Exchange } from '../process/exchange.ts'
import type { RunningCode } from '../process/process.ts'
import { runningCode } from '../process/running-code.ts'
import type { Problems } from './invariant.ts'

/** When a check has read what it reports: numbers of requests. */
interface SeenCheck {
  readonly first: number
  readonly last: number
}

const conditionsOf = (status: unknown): ReadonlyMap<string, string> =>
  new Map(
    [Object(status).conditions ?? []]
      .flat()
      .map(one => [String(Object(one).type), `${Object(one).status} ${Object(one).message}`]),
  )

/** Watches the results of health checks: one that has read before another began may not replace what that has found. */
export const watchChecks = (problems: Problems) => {
  const observed = new Map<string, SeenCheck>()
  let count = 0
  return {
    sent: ({ process, step }: RunningCode, { isWrite, about }: Exchange): void => {
      if (step === undefined || isWrite || about.endsWith(`s/${step.name}`)) return
      const id = `${process.name} ${step.event}`
      const now = ++count
      // Each check begins with the Cluster, also a repeated one.
      const first = about.includes('/clusters/') ? now : (observed.get(id)?.first ?? now)
      observed.set(id, { first, last: now })
    },
    watch: (store: Store): void => {
      const last = new Map<string, { readonly event: string; readonly first: number }>()
      store.subscribe((resource, { type, key, entry, previous }) => {
        if (!resource.endsWith('.extensions.gardener.cloud') || type !== 'MODIFIED') return
        const { process, step } = runningCode.getStore() ?? {}
        if (step === undefined || previous === undefined) return
        const before = conditionsOf(previous.object.status)
        const event = `${process?.name} ${step.event}`
        const own = observed.get(event) ?? { first: 0, last: 0 }
        for (const [name, text] of conditionsOf(entry.object.status)) {
          const id = `${resource} ${key} ${entry.object.metadata.uid} ${name}`
          if (before.get(name) === text) continue
          const other = last.get(id)
          if (other !== undefined && other.event !== event && own.last < other.first)
            problems.add(
              'a newer request is never lost',
              `${resource} ${key}: ${event} replaced the condition ${name} that a later check had written`,
            )
          last.set(id, { event, first: own.first })
        }
      })
    },
  }
}
