import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { allCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { buildEvent } from '../../shared/events/events.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../shared/log/log.ts'
import { eventHandler, type FunctionDefinition } from '../../shared/runtime/runtime.ts'

export const core = (plural: string, namespaced = true, group = ''): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
export const secrets = core('secrets')
const namespaces = core('namespaces', false)

const crds = [...allCrds(), ...resourceCrds()]
const mostSteps = 60

/** The process has died. Its later calls reach no target. */
export class ProcessDied extends Error {}

/** A write of the function, in the format of recordings. */
export interface NotedWrite {
  readonly verb: string
  /** The resource, with its subresource after a slash. */
  readonly resource: string
  readonly namespace?: string
  readonly name: string
  readonly body?: object
}

/** The initial objects of the seed: their resource follows from their kind. */
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Secret: secrets,
  Cluster: clusterKind.resource,
  Namespace: namespaces,
  NetworkPolicy: core('networkpolicies', true, 'networking.k8s.io'),
}

export interface FunctionSeedOptions {
  readonly definition: FunctionDefinition
  /** The object as gardenlet writes it, with its annotation. */
  readonly object: KubernetesObject
  /** Other initial objects: Secrets, a Cluster, namespaces. Missing namespaces are created. */
  readonly objects?: readonly KubernetesObject[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly connection?: unknown
  /** Actions of other controllers between two steps, such as a resource manager. */
  readonly between?: (kubernetes: Kubernetes) => Promise<unknown>
  readonly clock?: VirtualClock
  /** A real API server, as its administrator and as the function. Default: one in memory. */
  readonly api?: { readonly administrator: Kubernetes; readonly fn: Kubernetes }
}

const inMemory = (clock: VirtualClock) => {
  const server = createApiServer({ clock, objects: crds })
  const administrator = createKubernetes({ transport: server.transport, clock })
  return { administrator, fn: administrator }
}

/** A seed with one object, and a process with its function, which gets the events that a bridge would send. */
export const functionSeed = async ({
  definition,
  object,
  objects = [],
  settings = {},
  connection,
  between = async () => {},
  clock = virtualClock(Date.parse('2026-11-21T12:00:00Z')),
  api = inMemory(clock),
}: FunctionSeedOptions) => {
  const { kind } = definition
  const { resource } = kinds[kind]
  const { name, namespace } = object.metadata
  const key = namespace === undefined ? { name } : { name, namespace }
  const { administrator: kubernetes, fn } = api
  const inNamespaces = [object, ...objects].flatMap(one => one.metadata.namespace ?? [])
  const given = objects.filter(one => one.kind === 'Namespace').map(one => one.metadata.name)
  for (const missing of new Set(inNamespaces.filter(one => !given.includes(one))))
    if ((await kubernetes.get(namespaces, { name: missing })) === undefined)
      await kubernetes.create(namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: missing },
      })
  const put = async (one: KubernetesObject) => {
    const { status, ...made } = one
    const of = one.kind === object.kind ? resource : resources[one.kind]
    if (of === undefined) throw new Error(`no resource of ${one.kind}`)
    await kubernetes.create(of, made)
    if (status !== undefined && of === resource)
      await kubernetes.patch(of, key, { status }, { subresource: 'status' })
  }
  for (const one of [
    ...objects.filter(({ kind: of }) => of === 'Namespace'),
    ...objects.filter(({ kind: of }) => of !== 'Namespace'),
    object,
  ])
    await put(one)

  const requests: string[] = []
  const writes: NotedWrite[] = []
  const states: object[] = []
  let death: { left: number; readonly when: 'before' | 'after' } | undefined
  let dead = false
  /** Sends a request of the function. After its death none arrives. */
  const send = async <T>(
    line: string,
    write: NotedWrite | undefined,
    request: () => Promise<T>,
  ): Promise<T> => {
    if (dead) throw new ProcessDied()
    if (write !== undefined && death !== undefined) death.left -= 1
    const dies = write !== undefined && death?.left === 0
    if (dies && death?.when === 'before') {
      dead = true
      throw new ProcessDied()
    }
    requests.push(line)
    if (write !== undefined) writes.push(write)
    const answer = await request()
    const { lastOperation } = Object((await kubernetes.get(resource, key))?.status)
    if (lastOperation) {
      const { type, state, progress, description } = lastOperation
      states.push({ type, state, progress, description })
    }
    if (dies) {
      dead = true
      throw new ProcessDied()
    }
    return answer
  }
  const place = (of: { readonly name: string; readonly namespace?: string }) => ({
    name: of.name,
    ...(of.namespace !== undefined && { namespace: of.namespace }),
  })
  const noted: Kubernetes = {
    ...fn,
    get: (of, at, options) => send(`get ${of.plural} ${at.name}`, undefined, () => fn.get(of, at, options)),
    list: (of, options) => send(`list ${of.plural}`, undefined, () => fn.list(of, options)),
    create: (of, body, options) =>
      send(
        `create ${of.plural} ${body.metadata.name}`,
        { verb: 'create', resource: of.plural, ...place(body.metadata), body: { ...body } },
        () => fn.create(of, body, options),
      ),
    patch: (of, at, body, options) => {
      const what = `${of.plural}${options?.subresource ? `/${options.subresource}` : ''}`
      return send(`patch ${what} ${at.name}`, { verb: 'patch', resource: what, ...place(at), body }, () =>
        fn.patch(of, at, body, options),
      )
    },
    apply: (of, body, options) =>
      send(
        `apply ${of.plural} ${body.metadata.name}`,
        { verb: 'apply', resource: of.plural, ...place(body.metadata), body: { ...body } },
        () => fn.apply(of, body, options),
      ),
    delete: (of, at, options) =>
      send(`delete ${of.plural} ${at.name}`, { verb: 'delete', resource: of.plural, ...place(at) }, () =>
        fn.delete(of, at, options),
      ),
  }
  const lines: { readonly message: string; readonly [field: string]: unknown }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const newProcess = () =>
    eventHandler(definition, definition.settings.parse(settings), {
      kubernetes: noted,
      clock,
      log,
      ...(connection !== undefined && { connection }),
    })
  let handle = newProcess()

  const live = () => kubernetes.get(resource, key)
  /** Time until the next event is due, in ms. Undefined if no work is left. */
  const dueAfter = async (): Promise<number | undefined> => {
    const present = await live()
    const due = present && dueWork(kind, present, clock.now())
    if (due === undefined || due.kind === 'none') return undefined
    return due.kind === 'later' ? due.at - clock.now() : 0
  }
  /** Sends the due event to the function, if there is one. */
  const step = async () => {
    const present = await live()
    if (present === undefined) return undefined
    const due = dueWork(kind, present, clock.now())
    if (due.kind !== 'emit') return undefined
    const { operation, cause, reason, attempt } = due
    const event = buildEvent({
      object: present,
      kind,
      operation,
      cause,
      reason,
      attempt,
      source: '/seeds/test',
      now: clock.now(),
    })
    return handle(event, new AbortController().signal)
  }

  /** Deletes the object as gardenlet does. */
  const deleteIt = async () => {
    await clock.advance(5_000)
    const confirmed = { [annotations.deletionConfirmation]: 'true' }
    await kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
    await kubernetes.delete(resource, key)
  }

  return {
    kubernetes,
    clock,
    requests,
    writes,
    lines,
    live,
    step,
    dueAfter,
    /** The values of `lastOperation` since the last call, without repetitions. */
    states: () =>
      states
        .splice(0)
        .filter((state, index, all) => JSON.stringify(state) !== JSON.stringify(all[index - 1])),
    /** Runs steps until nothing is due, the object has an error, or the next step is later than the longest wait. */
    settle: async (longestWaitMs = 11_000) => {
      for (let count = 0; count < mostSteps; count++) {
        await step()
        const present = await live()
        if (dead || present === undefined || Object(present.status).lastOperation?.state === 'Error') return
        await between(kubernetes)
        const wait = await dueAfter()
        if (wait === undefined || wait > longestWaitMs) return
        await clock.advance(wait)
      }
      throw new Error(`not done after ${mostSteps} steps`)
    },
    /** Requests an operation as gardenlet does, with a changed spec if given. */
    ask: async (operation: string, patch: object = {}) => {
      await clock.advance(5_000)
      const asked = {
        [annotations.operation]: operation,
        [annotations.timestamp]: new Date(clock.now()).toISOString(),
      }
      await kubernetes.patch(resource, key, { ...patch, metadata: { annotations: asked } })
    },
    remove: deleteIt,
    /** Recreates the object in another seed, where it waits for its state: the given one, if any. */
    arrive: async (status?: object) => {
      await deleteIt()
      const waiting = { [annotations.operation]: 'wait-for-state' }
      const metadata = { ...object.metadata, annotations: waiting }
      await put({ ...object, ...(status && { status }), metadata })
    },
    /** Lets the process die before or after its n-th write from now on. */
    dieAt: (left: number, when: 'before' | 'after') => {
      death = { left, when }
    },
    hasDied: () => dead,
    /** Restarts the function with an empty memory. The claim of the old process expires. */
    restart: async () => {
      dead = false
      death = undefined
      handle = newProcess()
      const wait = await dueAfter()
      if (wait !== undefined) await clock.advance(wait)
    },
    /** Returns the function's writes since the last call. */
    takeWrites: () => writes.splice(0),
  }
}
export type FunctionSeed = Awaited<ReturnType<typeof functionSeed>>
