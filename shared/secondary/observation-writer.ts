import type { Clock, Timestamp } from '../clock/clock.ts'
import { conditionOf, conditionsOf, updatedCondition } from '../contract/conditions.ts'
import { ClaimLostError, StepExpiredError } from '../contract/errors.ts'
import { type KindName, kinds } from '../contract/kinds.ts'
import { recordOf } from '../decode/record-of.ts'
import {
  hasStatus,
  type Kubernetes,
  type KubernetesObject,
  type ObjectKey,
} from '../kubernetes/kubernetes.ts'
import type { SecondaryResult } from './secondary-actuator.ts'
import { formatRecord, markOf, type SecondaryRecord } from './secondary-record.ts'
import { checkedPatch } from './secondary-write.ts'

/** Maximum attempts of a write after concurrent changes of the object. */
const tries = 8

interface ObservationWriterDeps {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'patch'>
  readonly clock: Pick<Clock, 'now'>
  readonly definition: {
    readonly name: string
    readonly kind: KindName
    readonly conditions: readonly string[]
  }
}

/** The writes of one step to its object. All of them pass `checkedPatch`. */
export interface ObservationWriter {
  readonly claim: (needsFinalizer: boolean) => Promise<KubernetesObject | 'changed'>
  readonly conditions: (updates: NonNullable<SecondaryResult['conditions']>) => Promise<void>
  readonly end: (record: SecondaryRecord, releases: boolean) => Promise<void>
}

export const observationWriter = (
  { kubernetes, clock, definition }: ObservationWriterDeps,
  key: ObjectKey,
  read: KubernetesObject,
  claim: SecondaryRecord,
): ObservationWriter => {
  const { name, kind, conditions: types } = definition
  const { resource } = kinds[kind]
  const own = markOf(name)
  const claimText = formatRecord(claim)
  const deadline = clock.now() + (claim.durationMs ?? 0)
  let current = read

  const send = async (patch: { readonly metadata?: object; readonly status?: object }) => {
    if (clock.now() >= deadline) throw new StepExpiredError('the time of this step is over')
    const { uid, resourceVersion } = current.metadata
    const whole = { ...patch, metadata: { ...patch.metadata, uid, resourceVersion } }
    const checked = checkedPatch(whole, { name, conditions: types, object: { ...current, kind } })
    // Not aborted with the process: a write with an unknown result costs a whole claim.
    current = await kubernetes.patch(
      resource,
      key,
      checked,
      patch.status === undefined ? {} : { subresource: 'status' },
    )
    return current
  }

  /** Repeats the write after concurrent changes, while the step still has its claim. */
  const write = async (make: (object: KubernetesObject) => Parameters<typeof send>[0] | undefined) => {
    for (let tried = 0; tried < tries; tried++) {
      const patch = make(current)
      if (patch === undefined) return
      try {
        await send(patch)
        return
      } catch (error) {
        if (hasStatus(error, 404)) return
        if (!hasStatus(error, 409)) throw error
      }
      const live = await kubernetes.get(resource, key)
      if (live === undefined || live.metadata.uid !== read.metadata.uid) return
      if (live.metadata.annotations?.[own] !== claimText)
        throw new ClaimLostError('the claim of this step was removed: another step may be running')
      current = live
    }
    throw new Error(`the object was changed by others ${tries} times in a row`)
  }

  return {
    claim: async needsFinalizer => {
      const { finalizers = [] } = current.metadata
      const added = needsFinalizer && !finalizers.includes(own) ? { finalizers: [...finalizers, own] } : {}
      try {
        return await send({ metadata: { annotations: { [own]: claimText }, ...added } })
      } catch (error) {
        if (hasStatus(error, 409, 404)) return 'changed'
        throw error
      }
    },
    conditions: updates =>
      write(object => {
        const conditions = conditionsAfter(object, updates, clock.now())
        return conditions === undefined ? undefined : { status: { conditions } }
      }),
    end: (record, releases) =>
      write(({ metadata: { finalizers = [] } }) => ({
        metadata: {
          annotations: { [own]: formatRecord(record) },
          ...(releases &&
            finalizers.includes(own) && { finalizers: finalizers.filter(finalizer => finalizer !== own) }),
        },
      })),
  }
}

/** Returns `status.conditions` after the updates, or undefined for no change. Those of others stay as they are. */
const conditionsAfter = (
  object: KubernetesObject,
  updates: NonNullable<SecondaryResult['conditions']>,
  now: Timestamp,
): readonly unknown[] | undefined => {
  const { conditions } = recordOf(object.status)
  const entries: readonly unknown[] = Array.isArray(conditions) ? conditions : []
  const present = conditionsOf(object)
  const updated = Object.entries(updates).flatMap(([type, update]) =>
    update === undefined ? [] : [updatedCondition(type, conditionOf(present, type), update, now)],
  )
  if (updated.every(condition => present.includes(condition))) return undefined
  const isOld = (entry: unknown) => updated.some(({ type }) => type === recordOf(entry).type)
  return [...entries.filter(entry => !isOld(entry)), ...updated]
}
