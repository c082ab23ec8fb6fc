import { createdConditionOf } from '../../contract/conditions.ts'
import { annotations, type OperationType } from '../../contract/constants.ts'
import { StepExpiredError } from '../../contract/errors.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { hasStatus, type Kubernetes, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Backend } from '../backend.ts'
import { ownFinalizer } from '../decide/claim.ts'
import { factsOf } from '../decide/facts.ts'
import type { ForcedDeletion } from '../decide/forced-deletion.ts'
import { kindRules } from '../decide/kind-rules.ts'
import type { ObjectWriter } from './object-writer.ts'
import { missingSecret, type SecretRef, secretRefOf } from './preconditions.ts'

/** The branch of a step. */
export interface Branch {
  readonly operation: 'reconcile' | 'delete' | 'migrate' | 'restore'
  readonly type: OperationType
  /** Undefined: the operation is no forced delete. */
  readonly forced: ForcedDeletion | undefined
}

/**
 * A failed write of the lifecycle itself, or a failure after `Succeeded`. The operation has not failed: `lastOperation`
 * is unchanged, and the step is retried with backoff (docs/contract/lifecycle.md#status-writes).
 */
export class UnreportedError extends Error {
  override readonly name = 'UnreportedError'
}

/**
 * A failed lifecycle write is retried with backoff and never shown in the status
 * (docs/contract/lifecycle.md#status-writes).
 */
export const unreported = async (write: Promise<void>): Promise<void> => {
  try {
    await write
  } catch (error) {
    if (error instanceof StepExpiredError || error instanceof UnreportedError || !(error instanceof Error))
      throw error
    throw new UnreportedError(messageOf(error), { cause: error })
  }
}

/** The kind's work before and after its actuator. */
export interface KindHooks {
  /** True for a delete that skips the actuator and every status write (docs/contract/kinds.md#created-condition). */
  readonly skipsActuator: boolean
  /**
   * Runs after Processing. `finished`: no more work and no outcome to write. Throws a `CodedError` if its Secret is
   * missing.
   */
  readonly prepare: () => Promise<'ready' | 'finished'>
  /** Runs right before `Succeeded`. */
  readonly beforeSucceeded: () => Promise<void>
  /**
   * Runs after `Succeeded`: finalizers and annotations. A ControlPlane whose actuator requests another run retains its
   * restore annotation, and the whole restore runs again (docs/contract/lifecycle.md#restore). Throws
   * `UnreportedError`.
   */
  readonly afterSucceeded: (again: boolean) => Promise<void>
  readonly dropOwnFinalizer: () => Promise<void>
}

interface KindHooksInput {
  readonly kubernetes: Kubernetes
  readonly backend: Backend
  readonly branch: Branch
  readonly claimed: KubernetesObject
  readonly writer: ObjectWriter
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
}

export const kindHooks = ({
  kubernetes,
  backend,
  branch,
  claimed,
  writer,
  throwIfExpired,
  signal,
}: KindHooksInput): KindHooks => {
  const rules = kindRules[backend.kind]
  const own = ownFinalizer(backend, factsOf(claimed))
  const ref = rules.hasSecretFinalizer ? secretRefOf(claimed) : undefined
  const secret =
    ref === undefined
      ? undefined
      : secretFinalizer({ kubernetes, ref, finalizer: own, throwIfExpired, signal })

  const dropOwnFinalizer = () =>
    writer.metadata(({ metadata: { finalizers = [] } }) =>
      finalizers.includes(own)
        ? { finalizers: finalizers.filter(finalizer => finalizer !== own) }
        : undefined,
    )
  const asked = askedOf(claimed)
  /** A request since the claim remains and is processed next. */
  const dropAnnotation = () =>
    writer.metadata(object => {
      const now = askedOf(object)
      const isAnswered = now.operation === asked.operation && now.timestamp === asked.timestamp
      return now.operation !== undefined && isAnswered
        ? { annotations: { [annotations.operation]: null } }
        : undefined
    })

  return {
    skipsActuator:
      rules.createdCondition &&
      branch.operation === 'delete' &&
      createdConditionOf(claimed)?.status === 'False' &&
      // A killed step may have left the condition: Gardener's Go extension never removes it.
      factsOf(claimed).lastOperation?.state !== 'Processing',

    prepare: async () => {
      if (secret === undefined) return 'ready'
      switch (branch.operation) {
        case 'reconcile':
        case 'restore':
          if ((await secret.add()) === 'missing') throw missingSecret(secret.ref)
          return 'ready'
        case 'delete':
          if (backend.kind !== 'BackupEntry' || (await secret.exists())) return 'ready'
          await dropOwnFinalizer()
          return 'finished'
        case 'migrate':
          return 'ready'
      }
    },

    beforeSucceeded: async () => {
      if (branch.operation === 'restore' && rules.restoreConsumesAnnotation === 'before Succeeded') {
        await dropAnnotation()
      }
    },

    afterSucceeded: async again => {
      switch (branch.operation) {
        case 'reconcile':
          return
        case 'restore':
          if (rules.restoreConsumesAnnotation === 'after Succeeded' && !again) await dropAnnotation()
          return
        case 'delete':
          if ((await secret?.remove()) === 'missing' && backend.kind === 'BackupEntry') {
            throw new UnreportedError('the Secret in spec.secretRef was deleted during the delete operation')
          }
          return dropOwnFinalizer()
        case 'migrate':
          if ((await secret?.remove()) === 'missing') {
            throw new UnreportedError('the Secret in spec.secretRef does not exist')
          }
          await (rules.migrateDrops === 'own finalizer'
            ? dropOwnFinalizer()
            : writer.metadata(({ metadata }) =>
                metadata.finalizers === undefined || metadata.finalizers.length === 0
                  ? undefined
                  : { finalizers: null },
              ))
          return dropAnnotation()
      }
    },

    dropOwnFinalizer,
  }
}

const askedOf = ({ metadata }: KubernetesObject) => ({
  operation: metadata.annotations?.[annotations.operation],
  timestamp: metadata.annotations?.[annotations.timestamp],
})

/**
 * The finalizer that a BackupBucket or BackupEntry adds to its Secret, so that a delete can still read it
 * (docs/contract/lifecycle.md#finalizers).
 */
export interface SecretFinalizer {
  readonly ref: SecretRef
  readonly exists: () => Promise<boolean>
  readonly add: () => Promise<'done' | 'missing'>
  readonly remove: () => Promise<'done' | 'missing'>
}

interface SecretFinalizerInput {
  readonly kubernetes: Kubernetes
  readonly ref: SecretRef
  readonly finalizer: string
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
}

/**
 * gardenlet patches the Secret every 5 s during a BackupEntry's deletion (docs/contract/kinds.md#backupentry), so a few
 * conflicts are normal.
 */
const tries = 5

const secretFinalizer = ({
  kubernetes,
  ref,
  finalizer,
  throwIfExpired,
  signal,
}: SecretFinalizerInput): SecretFinalizer => {
  const change = async (next: (finalizers: readonly string[]) => readonly string[]) => {
    for (let attempt = 1; ; attempt++) {
      const secret = await kubernetes.get(secrets, ref, { signal })
      if (secret === undefined) return 'missing'
      const { uid, resourceVersion, finalizers = [] } = secret.metadata
      const wanted = next(finalizers)
      if (wanted.length === finalizers.length) return 'done'
      throwIfExpired()
      try {
        await kubernetes.patch(
          secrets,
          ref,
          { metadata: { uid, resourceVersion, finalizers: wanted } },
          { signal },
        )
        return 'done'
      } catch (error) {
        if (!hasStatus(error, 409) || attempt === tries) throw error
      }
    }
  }
  return {
    ref,
    exists: async () => (await kubernetes.get(secrets, ref, { signal })) !== undefined,
    add: () => change(present => (present.includes(finalizer) ? present : [...present, finalizer])),
    remove: () => change(present => present.filter(entry => entry !== finalizer)),
  }
}
