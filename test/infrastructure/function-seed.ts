import { definition } from '../../functions/aws/infrastructure/function.ts'
import {
  clusterOf,
  infrastructureOf,
  namespace,
  type ObjectParts,
} from '../../functions/aws/infrastructure/testing/objects.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import type { VirtualClock } from '../../shared/clock/clock.ts'
import { annotations, labels } from '../../shared/contract/constants.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { buildEvent } from '../../shared/events/events.ts'
import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { StepOutcome } from '../../shared/lifecycle/lifecycle.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { eventHandler } from '../../shared/runtime/runtime.ts'

/** Created once for all seeds, because it takes longer than most steps. */
const crds = allCrds()

const { resource } = kinds.Infrastructure
const key = { name: 'bar', namespace }
const core = (plural: string, namespaced: boolean): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced,
})

export interface FunctionSeedOptions {
  readonly aws: Aws
  readonly clock: VirtualClock
  readonly parts?: ObjectParts
  readonly cluster?: ReturnType<typeof clusterOf>
  readonly accessKeyId?: string
}

/** A seed that calls its function at once, as the bridge would, on a virtual clock. */
export const functionSeed = async ({ aws, clock, ...options }: FunctionSeedOptions) => {
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(core('namespaces', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
  })
  await kubernetes.create(clusterKind.resource, options.cluster ?? clusterOf())
  await kubernetes.create(core('secrets', true), {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace },
    data: {
      accessKeyID: btoa(options.accessKeyId ?? 'AKIAEXAMPLE'),
      secretAccessKey: btoa('planted-secret-access-key'),
    },
  })
  const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const handle = eventHandler(
    definition,
    {},
    { kubernetes, clock, log, connection: { requestHandler: aws.requestHandler } },
  )
  const timestamp = () => new Date(clock.now()).toISOString()

  const live = async (): Promise<Infrastructure | undefined> =>
    (await kubernetes.get(resource, key)) as Infrastructure | undefined

  /** Returns the milliseconds until work is due, or undefined if none is. */
  const nextDueMs = async (): Promise<number | undefined> => {
    const object = await live()
    const due = object && dueWork('Infrastructure', object, clock.now())
    if (due === undefined || due.kind === 'none') return undefined
    return due.kind === 'later' ? due.at - clock.now() : 0
  }

  /** Performs the bridge's next action: runs a step, or advances the clock. Returns undefined if nothing is due. */
  const next = async (): Promise<StepOutcome | 'later' | undefined> => {
    const object = await live()
    if (object === undefined) return undefined
    const due = dueWork('Infrastructure', object, clock.now())
    if (due.kind === 'none') return undefined
    if (due.kind === 'later') await clock.advance(due.at - clock.now())
    const { operation, cause, reason, attempt } = due
    const event = buildEvent({
      object,
      kind: 'Infrastructure',
      operation,
      cause,
      reason,
      attempt,
      source: '/seeds/s',
      now: clock.now(),
    })
    let ended = false
    const running = handle(event, new AbortController().signal).finally(() => {
      ended = true
    })
    while (!ended) {
      await clock.advance(0)
      const [timer] = clock.pending()
      // The time limits of the step are timers too, but far away.
      if (!ended && timer !== undefined && timer - clock.now() < 50_000)
        await clock.advance(timer - clock.now())
    }
    return running
  }

  return {
    server,
    kubernetes,
    live,
    nextDueMs,
    next,
    /** Runs steps until nothing is due, or one has failed. Returns the object. */
    settle: async (): Promise<Infrastructure | undefined> => {
      for (let count = 0; count < 80; count++) {
        const outcome = await next()
        if (outcome === undefined) return live()
        if (typeof outcome === 'object' && outcome.kind === 'recorded' && outcome.how === 'failed')
          return live()
      }
      throw new Error('not settled after 80 steps')
    },
    create: async (status?: object) => {
      const object = infrastructureOf(options.parts)
      const { uid: _, ...metadata } = object.metadata
      const operation = status === undefined ? 'reconcile' : 'wait-for-state'
      await kubernetes.create(resource, {
        ...object,
        metadata: {
          ...metadata,
          annotations: { [annotations.operation]: operation, [annotations.timestamp]: timestamp() },
        },
      })
      if (status !== undefined) {
        await kubernetes.patch(resource, key, { status }, { subresource: 'status' })
        await kubernetes.patch(resource, key, {
          metadata: { annotations: { [annotations.operation]: 'restore' } },
        })
      }
    },
    ask: (operation: string, spec: object = {}) =>
      kubernetes.patch(resource, key, {
        metadata: {
          annotations: { [annotations.operation]: operation, [annotations.timestamp]: timestamp() },
        },
        spec,
      }),
    remove: async () => {
      await kubernetes.patch(resource, key, {
        metadata: {
          annotations: { [annotations.deletionConfirmation]: 'true', [annotations.timestamp]: timestamp() },
        },
      })
      await kubernetes.delete(resource, key)
    },
    patchCluster: (patch: object) => kubernetes.patch(clusterKind.resource, { name: namespace }, patch),
  }
}
