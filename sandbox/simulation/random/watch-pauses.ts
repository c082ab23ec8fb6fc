import type { Clock } from '../../../shared/clock/clock.ts'
import { annotations, group } from '../../../shared/contract/constants.ts'
import { isInForce, type Pause, pauseOf } from '../../../shared/contract/pause.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { broken } from '../invariants/invariants.ts'
import type { WorldSeed } from '../simulate.ts'

/** A frozen function may claim an object that it read before the pause, as late as this, in ms. */
const beginMs = 5 * 60_000
/** Clocks of processes that are ahead end a pause earlier, in ms. */
const endMs = 2 * 60_000

const stepOf = ({ metadata }: KubernetesObject) =>
  parseStepAnnotation(metadata.annotations?.[annotations.step])

/** Observes paused shoots. Returns a sentence for each step that started for one of their objects. */
export const watchPauses = (seeds: readonly WorldSeed[], clock: Clock): (() => readonly string[]) => {
  const problems = new Set<string>()
  for (const { server } of seeds) {
    const pauses = new Map<string, { readonly pause: Pause | undefined; readonly since: number }>()
    server.store.subscribe((resource, { type, key, entry, previous }) => {
      if (!resource.endsWith(group)) return
      const { metadata } = entry.object
      if (resource.startsWith('clusters.')) {
        const pause = type === 'DELETED' ? undefined : pauseOf(metadata)
        if (pauses.get(key)?.pause?.until !== pause?.until) pauses.set(key, { pause, since: clock.now() })
        return
      }
      const { pause, since } = pauses.get(metadata.namespace ?? '') ?? { pause: undefined, since: 0 }
      const step = stepOf(entry.object)
      const isClaim = step?.phase === 'claimed' && previous && stepOf(previous.object)?.event !== step.event
      if (isClaim && clock.now() >= since + beginMs && isInForce(pause, clock.now() + endMs))
        problems.add(broken('a pause holds', `a step of ${resource} ${key} started during a pause`))
    })
  }
  return () => [...problems]
}
