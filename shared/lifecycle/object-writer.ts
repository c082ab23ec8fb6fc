import { annotations } from '../contract/constants.ts'
import { formatStep, parseStep, type Step } from '../contract/step.ts'
import {
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  type ObjectKey,
  type Resource,
} from '../kubernetes/port.ts'

/** Writes of one step to its own object. Every one checks first that the step's time is not over. */
export interface ObjectWriter {
  /** The object as of the last write. */
  readonly current: () => KubernetesObject
  /** Merge patch on `/status`; without a lock, but only on the object of this uid. */
  readonly status: (status: Readonly<Record<string, unknown>>) => Promise<void>
  /** Merge patch on the metadata, made from the present metadata and locked to its version; resolves when it is gone. */
  readonly metadata: (change: (object: KubernetesObject) => object | undefined) => Promise<void>
  /** Replaces the step annotation as long as it is still the one of this step. */
  readonly step: (step: Step | undefined) => Promise<void>
}

interface WriterDeps {
  readonly kubernetes: Kubernetes
  readonly resource: Resource
  readonly key: ObjectKey
  readonly claimed: KubernetesObject
  readonly guard: () => void
  readonly signal: AbortSignal
}

/** How often a locked write is made again after somebody else changed the object. */
const lockedTries = 5

export const objectWriter = (deps: WriterDeps): ObjectWriter => {
  const { kubernetes, resource, key, guard, signal } = deps
  const uid = deps.claimed.metadata.uid
  const own = parseStep(deps.claimed.metadata.annotations?.[annotations.step])
  let current = deps.claimed

  const isOwn = (object: KubernetesObject): boolean => {
    const step = parseStep(object.metadata.annotations?.[annotations.step])
    return step !== undefined && step.event === own?.event && step.until === own.until
  }

  const metadata: ObjectWriter['metadata'] = async change => {
    for (let attempt = 1; ; attempt++) {
      guard()
      const patch = change(current)
      if (patch === undefined) return
      const { resourceVersion } = current.metadata
      try {
        current = await kubernetes.patch(
          resource,
          key,
          { metadata: { uid, resourceVersion, ...patch } },
          { signal },
        )
        return
      } catch (error) {
        if (!(error instanceof KubernetesError)) throw error
        if (error.status === 404) return
        if (error.status !== 409 || attempt === lockedTries) throw error
        const live = await kubernetes.get(resource, key, { signal })
        if (live === undefined || live.metadata.uid !== uid) return
        current = live
      }
    }
  }

  return {
    current: () => current,
    metadata,
    status: async status => {
      guard()
      current = await kubernetes.patch(
        resource,
        key,
        { metadata: { uid }, status },
        { subresource: 'status', signal },
      )
    },
    step: step =>
      metadata(object =>
        isOwn(object)
          ? { annotations: { [annotations.step]: step === undefined ? null : formatStep(step) } }
          : undefined,
      ),
  }
}
