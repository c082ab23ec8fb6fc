import {
  createSteppedSeed,
  isWriteRequest,
  requestText,
  type SteppedRequest,
  type SteppedSeedOptions,
} from '../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export const core = (plural: string, namespaced = true, group = ''): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
export const secrets = core('secrets')
const namespaces = core('namespaces', false)

/** The initial objects of the seed: their resource follows from their kind. */
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Secret: secrets,
  Cluster: clusterKind.resource,
  Namespace: namespaces,
  NetworkPolicy: core('networkpolicies', true, 'networking.k8s.io'),
}

export interface FunctionSeedOptions extends SteppedSeedOptions {
  /** The object as gardenlet writes it, with its annotation. */
  readonly object: KubernetesObject
}

/** A seed with one object, for tests that compare each request and each status. */
export const functionSeed = async ({
  object,
  objects = [],
  clock = virtualClock(Date.parse('2026-11-21T12:00:00Z')),
  others = async () => {},
  ...options
}: FunctionSeedOptions) => {
  const seed = createSteppedSeed({ clock, others, ...options })
  const { kubernetes } = seed
  const { resource } = kinds[options.definition.kind]
  const { name, namespace } = object.metadata
  const key = namespace === undefined ? { name } : { name, namespace }
  const one = seed.object(key)
  const inNamespaces = [object, ...objects].flatMap(({ metadata }) => metadata.namespace ?? [])
  const given = objects.filter(({ kind }) => kind === 'Namespace')
  const put = async ({ status, ...made }: KubernetesObject) => {
    const of = made.kind === object.kind ? resource : resources[made.kind]
    if (of === undefined) throw new Error(`no resource of ${made.kind}`)
    await kubernetes.create(of, made)
    if (status !== undefined && of === resource)
      await kubernetes.patch(of, key, { status }, { subresource: 'status' })
  }
  for (const one of given) await put(one)
  for (const missing of new Set(inNamespaces))
    if ((await kubernetes.get(namespaces, { name: missing })) === undefined)
      await put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: missing } })
  for (const other of [...objects.filter(({ kind }) => kind !== 'Namespace'), object]) await put(other)

  const requests: string[] = []
  const writes: SteppedRequest[] = []
  const states: object[] = []
  seed.interfereWith({
    before: request => {
      requests.push(requestText(request))
      if (isWriteRequest(request)) writes.push(request)
    },
    after: async () => {
      const { lastOperation } = Object((await one.live())?.status)
      if (!lastOperation) return
      const { type, state, progress, description } = lastOperation
      states.push({ type, state, progress, description })
    },
  })

  /** Time until the next event is due, in ms. Undefined if no work is left. */
  const dueAfter = async (): Promise<number | undefined> => {
    const due = await one.due()
    if (due === undefined || due.kind === 'none') return undefined
    return due.kind === 'later' ? due.at - clock.now() : 0
  }
  const hasEnded = (live: KubernetesObject | undefined): boolean =>
    seed.hasDied() || Object(live?.status).lastOperation?.state === 'Error'

  return {
    kubernetes,
    clock,
    requests,
    writes,
    lines: seed.lines,
    live: one.live,
    /** Sends the due event to the function, if there is one. */
    step: async () => ((await one.due())?.kind === 'emit' ? one.step() : undefined),
    dueAfter,
    /** The values of `lastOperation` since the last call, without repetitions. */
    states: () =>
      states
        .splice(0)
        .filter((state, index, all) => JSON.stringify(state) !== JSON.stringify(all[index - 1])),
    /** Runs steps until nothing is due, the object has an error, or the next step is later than the longest wait. */
    converge: (longestPauseMs = 11_000) => one.run({ longestPauseMs, mostSteps: 60, until: hasEnded }),
    ask: one.ask,
    remove: one.delete,
    /** Recreates the object in another seed, where it waits for its state: the given one, if any. */
    arrive: async (status?: object) => {
      await one.delete()
      const waiting = { [annotations.operation]: 'wait-for-state' }
      await put({
        ...object,
        ...(status && { status }),
        metadata: { ...object.metadata, annotations: waiting },
      })
    },
    dieAt: seed.dieAt,
    hasDied: seed.hasDied,
    /** Restarts the function with an empty memory. The claim of the old process expires. */
    restart: async () => {
      seed.restart()
      await clock.advance((await dueAfter()) ?? 0)
    },
    /** Returns the function's writes since the last call. */
    takeWrites: () => writes.splice(0),
  }
}
export type FunctionSeed = Awaited<ReturnType<typeof functionSeed>>
