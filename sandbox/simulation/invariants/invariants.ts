/** Promises that every run must hold, checked by observers beside the world. */

import type { Clock } from '../../../shared/clock/clock.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'
import type { ProcessObserver } from '../process/process.ts'
import { checkWrite } from './check-write.ts'
import { countCalls } from './count-calls.ts'
import { createProblems, type Problems } from './invariant.ts'
import { createSeenObjects, type SeenObjects } from './seen-objects.ts'
import { watchChecks } from './watch-checks.ts'
import { watchClaims } from './watch-claims.ts'
import { watchOrder } from './watch-order.ts'
import { watchOthers } from './watch-others.ts'

export { broken, type Invariant, invariants, type Problems } from './invariant.ts'
export {
  generatedName,
  type KnownObject,
  type ObjectName,
  objectName,
  type SeenObjects,
} from './seen-objects.ts'
export { needsToken, ofOthers, ownedByOthers } from './watch-others.ts'

/** The observers of a world. */
export interface Invariants {
  readonly observer: ProcessObserver
  readonly problems: Problems
  readonly objects: SeenObjects
  /**
   * Observes a seed from now on. The returned function makes it forget the claims, because etcd returns to a backup.
   */
  watch(seed: string, store: Store): () => void
}

export const createInvariants = (clock: Clock): Invariants => {
  const problems = createProblems()
  const objects = createSeenObjects()
  const watchOrderIn = watchOrder(problems)
  const count = countCalls(problems, clock)
  const checks = watchChecks(problems)
  return {
    problems,
    objects,
    observer: {
      sent: (code, exchange) => {
        count(code, exchange)
        checks.sent(code, exchange)
      },
      answered: ({ process, step }, request) => {
        if (step !== undefined) checkWrite(problems, process.name, request)
      },
    },
    watch: (seed, store) => {
      objects.watch(seed, store)
      watchOthers(store, problems)
      watchOrderIn(store)
      checks.watch(store)
      return watchClaims(store, problems).forget
    },
  }
}
