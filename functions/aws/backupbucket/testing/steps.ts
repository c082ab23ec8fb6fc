import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import { conditionsWith } from '../../../../shared/contract/conditions.ts'
import type { BackupBucket } from '../../../../shared/contract/objects.ts'
import { mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import {
  connectionOver,
  type Interference,
  notedLog,
  secretAccessKey,
  stepContext,
  untilDone,
} from '../../testing/actuator-steps.ts'
import { backupBucketActuator } from '../actuator.ts'
import { type DeletionPace, usualPace } from '../s3/backup.ts'

export const bucketName = 'cloud--aws--plain'

export interface BucketParts {
  readonly name?: string
  readonly region?: string
  /** `immutability` of the config. If absent, the object has no config. */
  readonly immutability?: object
  readonly providerConfig?: Readonly<Record<string, unknown>>
  readonly deletionTimestamp?: string
  readonly status?: object
}

/** A BackupBucket in eu-west-1, with the changes of a test. */
export const bucketOf = (parts: BucketParts = {}): BackupBucket => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucket',
  metadata: {
    name: parts.name ?? bucketName,
    ...(parts.deletionTimestamp !== undefined && { deletionTimestamp: parts.deletionTimestamp }),
  },
  spec: {
    type: 'aws',
    region: parts.region ?? 'eu-west-1',
    secretRef: { name: 'backupprovider', namespace: 'garden' },
    ...(parts.immutability !== undefined && { providerConfig: configOf(parts.immutability) }),
    ...(parts.providerConfig !== undefined && { providerConfig: parts.providerConfig }),
  },
  ...(parts.status !== undefined && { status: parts.status }),
})

export const configOf = (immutability: object) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'BackupBucketConfig',
  immutability,
})

export { type Interference, secretAccessKey }

export interface BucketStepOptions extends Interference {
  /** Default: that of `stepContext`. */
  readonly type?: StepContext['operation']
  readonly throwIfExpired?: () => void
  readonly pace?: Partial<DeletionPace>
  readonly accessKeyID?: string
  readonly resumed?: boolean
}

/** A seed with one BackupBucket, and its steps as a process executes them. */
export const stepsOver = (
  requestHandler: AwsRequestHandler,
  clock: VirtualClock,
  parts: BucketParts = {},
) => {
  const stored = { object: bucketOf(parts) }
  const { lines, log } = notedLog()

  const save = (changes: Readonly<Record<string, unknown>>): void => {
    const status = mergePatch(stored.object.status ?? {}, changes) as NonNullable<BackupBucket['status']>
    stored.object = { ...stored.object, status }
  }

  const step = async (
    operation: 'reconcile' | 'remove',
    options: BucketStepOptions = {},
  ): Promise<StepResult> => {
    const { object } = stored
    const actuator = backupBucketActuator({
      clock,
      pace: { ...usualPace, ...options.pace },
      connection: connectionOver(requestHandler, options),
    })
    const context = stepContext<BackupBucket>({
      object,
      secret: {
        name: 'backupprovider',
        namespace: 'garden',
        labels: {},
        data: { accessKeyID: options.accessKeyID ?? 'AKIATEST', secretAccessKey },
      },
      ...(options.throwIfExpired && { throwIfExpired: options.throwIfExpired }),
      ...(options.type && { operation: options.type }),
      ...(options.resumed !== undefined && { resumed: options.resumed }),
      saveStatus: async changes => save(changes),
      clock,
      log,
    })
    if (operation === 'reconcile') await actuator.check?.(context)
    const result = await actuator[operation](context)
    const updates = result.kind === 'done' ? result.conditions : undefined
    const conditions = updates && conditionsWith(stored.object, updates, clock.now())
    save({ ...result.status, ...(conditions && { conditions }) })
    return result
  }

  return {
    step,
    lines,
    object: () => stored.object,
    conditions: () => stored.object.status?.conditions ?? [],
    /** Replaces the spec. */
    change: (next: BucketParts) => {
      stored.object = { ...stored.object, spec: bucketOf(next).spec }
    },
    /** Repeats the step until it is done. Returns the messages of the waits. */
    until: async (operation: 'reconcile' | 'remove', options: BucketStepOptions = {}) =>
      (await untilDone(clock, () => step(operation, options))).waits,
  }
}
