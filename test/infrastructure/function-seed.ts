import { definition } from '../../functions/aws/infrastructure/function.ts'
import {
  clusterOf,
  infrastructureOf,
  namespace,
  type ObjectParts,
} from '../../functions/aws/infrastructure/testing/objects.ts'
import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createSteppedSeed, shootObjects } from '../../sandbox/stepped-seed/stepped-seed.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../shared/lifecycle/lifecycle.ts'

export interface FunctionSeedOptions {
  readonly aws: Aws
  readonly clock: VirtualClock
  readonly parts?: ObjectParts
  readonly cluster?: ReturnType<typeof clusterOf>
  readonly accessKeyId?: string
}

/** A seed with one Infrastructure in a simulated account. */
export const functionSeed = async ({ aws, clock, ...options }: FunctionSeedOptions) => {
  const { spec } = options.cluster ?? clusterOf()
  const seed = createSteppedSeed({
    definition,
    clock,
    objects: shootObjects({
      namespace,
      ...spec,
      secrets: {
        cloudprovider: {
          accessKeyID: options.accessKeyId ?? 'AKIAEXAMPLE',
          secretAccessKey: 'planted-secret-access-key',
        },
      },
    }),
    connection: { requestHandler: aws.requestHandler },
    waits: 'advance',
  })
  const one = seed.object({ name: 'bar', namespace })
  const live = async () => (await one.live()) as Infrastructure | undefined

  /** Returns the milliseconds until work is due, or undefined if none is. */
  const nextDueMs = async (): Promise<number | undefined> => {
    const due = await one.due()
    if (due === undefined || due.kind === 'none') return undefined
    return due.kind === 'later' ? due.at - clock.now() : 0
  }
  const hasFailed = (object: KubernetesObject | undefined) =>
    Object(object?.status).lastOperation?.state === 'Error'

  return {
    kubernetes: seed.kubernetes,
    clock: seed.clock,
    requests: seed.requests,
    interfereWith: seed.interfereWith,
    live,
    nextDueMs,
    /** Performs the bridge's next action: waits until work is due, and runs a step. Returns undefined if none is. */
    next: async (): Promise<StepOutcome | undefined> => {
      const dueMs = await nextDueMs()
      if (dueMs === undefined) return undefined
      await clock.advance(dueMs)
      return one.step()
    },
    /** Runs steps until nothing is due, or one has failed. Returns the object. */
    converge: async (): Promise<Infrastructure | undefined> => {
      await one.run({ longestPauseMs: Number.POSITIVE_INFINITY, until: hasFailed })
      return live()
    },
    create: async (status?: object) => {
      const object = infrastructureOf({ ...options.parts, ...(status && { status }) })
      const { uid: _, ...metadata } = object.metadata
      await one.create({ ...object, metadata }, status === undefined ? 'reconcile' : 'wait-for-state')
      if (status !== undefined) await one.ask('restore')
    },
    ask: one.ask,
    remove: one.delete,
    patchCluster: (patch: object) => seed.kubernetes.patch(clusterKind.resource, { name: namespace }, patch),
  }
}
