import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { runningCode, type World } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Milestone } from './plan-life.ts'

const finalizersOf = ({ metadata: { finalizers = [] } }: KubernetesObject): number =>
  finalizers.filter(finalizer => finalizer.startsWith('extensions.gardener.cloud/')).length

/** Returns the milestones that a write of a step reaches. */
const reached = (
  resource: string,
  before: KubernetesObject,
  after: KubernetesObject,
): readonly (Milestone | false)[] => {
  const [one, other] = [Object(before.status), Object(after.status)]
  const isReleased = finalizersOf(after) < finalizersOf(before)
  return [
    isReleased && (resource === 'secrets' ? 'a released Secret' : 'a released object'),
    JSON.stringify(one.state) !== JSON.stringify(other.state) && 'a saved state',
    other.lastOperation?.state === 'Succeeded' && one.lastOperation?.state !== 'Succeeded' && 'a success',
  ]
}

/** A death that is due at a milestone, after so many others of its kind. */
export interface DueDeath {
  readonly after: Milestone
  left: number
}

/** Ends processes right after writes. `due`: those that have begun. */
export const letDie = ({ first }: World<AwsSide>, due: readonly DueDeath[]): void => {
  first.server.store.subscribe((resource, { entry, previous }) => {
    const { process, step } = runningCode.getStore() ?? {}
    if (process === undefined || step === undefined || previous === undefined) return
    for (const milestone of reached(resource, previous.object, entry.object)) {
      const met = due.filter(({ after, left }) => after === milestone && left >= 0)
      for (const one of met) one.left -= 1
      if (met.some(({ left }) => left === -1))
        first
          .instances()
          .find(one => one.process.name === process.name)
          ?.process.kill()
    }
  })
}
