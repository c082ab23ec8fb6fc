import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readObjects } from '../cli/plan/read-objects.ts'
import { type Aws, type SimulatedAws, simulatedAws } from '../sandbox/providers/aws/simulator/aws.ts'
import {
  type FunctionProcess,
  functionProcesses,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  startSeed,
} from '../sandbox/seed/seed.ts'
import type { Clock, VirtualClock } from '../shared/clock/clock.ts'
import { annotations } from '../shared/contract/constants.ts'
import { clusterKind, type KindName, kinds } from '../shared/contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject, ObjectKey } from '../shared/kubernetes/kubernetes.ts'
import { dueWork, secrets } from '../shared/lifecycle/lifecycle.ts'
import { stillnessOn } from './infrastructure/passing-time.ts'
import { isReady, type LiveRecord } from './live-record.ts'

export const namespaces: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  namespaced: false,
}

/** The clouds of a running seed. */
export type Clouds = { readonly aws: SimulatedAws }

/** The longest wait on a real clock, in milliseconds. */
const patience = 120_000

export interface RunningSeedOptions extends Omit<SeedOptions<Clouds>, 'clouds' | 'clock' | 'observe'> {
  readonly aws: Aws
  /** The limit of Route 53 that the function knows. Default: unknown, as for any AWS other than Amazon's. */
  readonly route53PerSecond?: number | undefined
  /** A virtual clock that advances while all work waits. Default: a real clock. */
  readonly clock?: VirtualClock | undefined
  /** A clock that only the test advances, instead of `clock`. */
  readonly ownClock?: Clock
  /** Runs the functions in separate processes with this environment. */
  readonly processes?: Readonly<Record<string, string>> | undefined
  /** Called with each event before the waits are checked. */
  readonly observe?: (event: SeedEvent) => void
}

/** Reads the objects of an example. `ids` replaces the placeholder ids of the user's resources. */
export const exampleObjects = async (
  file: string,
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<readonly KubernetesObject[]> => {
  let text = await readFile(new URL(`../examples/${file}`, import.meta.url), 'utf8')
  for (const [id, real] of ids) text = text.replaceAll(id, real)
  return readObjects('-', Readable.from([text]))
}

const resourceOf = (kind: string): GroupVersionResource => {
  const others = { Namespace: namespaces, Secret: secrets, Cluster: clusterKind.resource }
  const found = others[kind as keyof typeof others] ?? kinds[kind as KindName]?.resource
  if (found === undefined) throw new Error(`an example holds a ${kind}`)
  return found
}

/** Starts a whole seed in an AWS account: bridge, broker and functions. Adds gardenlet's actions and waits. */
export const startRunningSeed = async ({
  aws,
  clock,
  ownClock,
  route53PerSecond,
  processes: env,
  observe,
  ...options
}: RunningSeedOptions) => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-seed-'))
  const kubeconfigFile = join(folder, 'kubeconfig')
  const observed: SeedEvent[] = []
  const lines: string[] = []
  const processes: FunctionProcess[] = []
  const processesByFunction = new Map<string, FunctionProcess[]>()
  const objects = new Map<string, KubernetesObject>()
  const checks = new Set<() => void>()
  const stillness = clock && stillnessOn(clock, () => story(objects.values(), observed))
  const requestHandler = stillness?.watch(aws.requestHandler) ?? aws.requestHandler
  const seedClock = clock ?? ownClock
  const simulated = simulatedAws({ ...aws, requestHandler })
  const cloud = { ...simulated, connection: { ...simulated.connection, route53PerSecond } }
  const seed = await startSeed<Clouds>({
    ...options,
    ...(env && {
      startFunction:
        ({ cloudEnvironment }) =>
        async (fn: SeedFunction) => {
          const started = await functionProcesses({
            kubeconfig: kubeconfigFile,
            env: { ...cloudEnvironment(fn), ...env },
            onLine: line => lines.push(line),
          })(fn)
          processes.push(started)
          processesByFunction.set(fn.name, [...(processesByFunction.get(fn.name) ?? []), started])
          return started
        },
    }),
    ...(seedClock && { clock: seedClock }),
    clouds: { aws: cloud },
    observe: event => {
      stillness?.note()
      observed.push(event)
      if (event.part === 'object') {
        const { kind, metadata } = event.object
        const key = [kind, metadata.namespace, metadata.name].join('/')
        if (event.deleted) objects.delete(key)
        else objects.set(key, event.object)
      }
      observe?.(event)
      for (const check of checks) check()
    },
  })
  const { kubernetes } = seed
  await writeFile(kubeconfigFile, seed.kubeconfig)
  const all = <T extends KubernetesObject>(kind: string): readonly T[] =>
    [...objects.values()].filter(object => object.kind === kind) as unknown as readonly T[]
  /** The observed object. Only suites with several namespaces pass one. */
  const live = (kind: string, name: string, namespace?: string): LiveRecord | undefined =>
    all<LiveRecord>(kind).find(
      ({ metadata }) =>
        metadata.name === name && (namespace === undefined || metadata.namespace === namespace),
    )

  /** Returns the result of work while the clock advances. `limitMs` is time of a virtual clock. */
  const pass = <T>(what: string, work: Promise<T>, limitMs?: number): Promise<T> =>
    stillness?.pass(what, work, limitMs) ?? work

  /**
   * Waits until `find` returns a value. Rejects if `find` throws because it can never do so. `limitMs` is time of a
   * virtual clock that advances, or else real time.
   */
  const until = <T>(what: string, find: () => T | undefined, limitMs?: number): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const end = () => {
      checks.delete(check)
      clearInterval(again)
      clearTimeout(timer)
    }
    const check = () => {
      try {
        const found = find()
        if (found === undefined) return
        resolve(found)
      } catch (error) {
        // It runs during a write, which must not fail because of it.
        reject(error)
      }
      end()
    }
    const again = setInterval(check, 20)
    const realMs = stillness ? undefined : (limitMs ?? patience)
    const timer =
      realMs &&
      setTimeout(() => {
        end()
        reject(new Error(`waited ${realMs} ms for ${what}, in vain:\n${story(objects.values(), observed)}`))
      }, realMs)
    checks.add(check)
    check()
    return pass(what, promise, limitMs)
  }

  const timestamp = () => new Date(seed.clock.now()).toISOString().replace('Z', '000001Z')
  const asked = (operation: string) => ({
    [annotations.operation]: operation,
    [annotations.timestamp]: timestamp(),
  })
  const patch = (kind: KindName, key: ObjectKey, body: object) =>
    pass('a patch', kubernetes.patch(kinds[kind].resource, key, body))
  const isSettled = (object: LiveRecord): boolean =>
    isReady(object) && dueWork(object.kind as KindName, object, seed.clock.now()).kind === 'none'

  return {
    seed,
    aws,
    kubernetes,
    /** All events, oldest first. */
    observed,
    /** The function processes in the order of their start, and their log lines. */
    processes,
    processesByFunction,
    lines,
    /** A file with the kubeconfig. */
    kubeconfigFile,
    /** The input for functions that call the cloud. */
    connection: cloud.connection,
    live,
    /** The observed objects of a kind. */
    all,
    pass,
    until,
    asked,
    /** Calls `check` after each event, until the returned function is called. */
    atEachMoment: (check: () => void) => {
      checks.add(check)
      return () => void checks.delete(check)
    },
    create: async (...created: readonly KubernetesObject[]) => {
      for (const object of created) await pass('a create', kubernetes.create(resourceOf(object.kind), object))
    },
    patch,
    /** Requests an operation as gardenlet does. */
    ask: (kind: KindName, key: ObjectKey, operation: string, body: object = {}) =>
      patch(kind, key, { ...body, metadata: { annotations: asked(operation) } }),
    changeShoot: (namespace: string, shoot: object) =>
      pass('a patch', kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot } })),
    /** Confirms the deletion and deletes. */
    remove: async (kind: KindName, key: ObjectKey, more: Readonly<Record<string, string>> = {}) => {
      const confirmed = { [annotations.deletionConfirmation]: 'true', [annotations.timestamp]: timestamp() }
      await patch(kind, key, { metadata: { annotations: { ...more, ...confirmed } } })
      await pass('a deletion', kubernetes.delete(kinds[kind].resource, key))
    },
    /** Waits until gardenlet would continue and nothing is due. Rejects if the object has an error. */
    untilReady: (
      kind: KindName,
      name: string,
      {
        limitMs,
        mayFail = false,
      }: { readonly limitMs?: number | undefined; readonly mayFail?: boolean } = {},
    ): Promise<LiveRecord> =>
      until(
        `${kind} ${name} to be ready`,
        () => {
          const object = live(kind, name)
          const { lastError } = object?.status ?? {}
          if (lastError && !mayFail) throw new Error(lastError.description)
          return object !== undefined && isSettled(object) ? object : undefined
        },
        limitMs,
      ),
    untilGone: (kind: KindName, name: string, limitMs?: number) =>
      until(`${kind} ${name} to be gone`, () => (live(kind, name) === undefined ? true : undefined), limitMs),
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type RunningSeed = Awaited<ReturnType<typeof startRunningSeed>>

/** Returns the state of the objects of extensions and the last events, for the message of a failed wait. */
const story = (objects: Iterable<KubernetesObject>, observed: readonly SeedEvent[]): string =>
  [
    ...[...objects]
      .filter(({ kind }) => kind in kinds)
      .map(({ metadata: { name, annotations: notes, finalizers, deletionTimestamp }, status }) =>
        JSON.stringify({ name, notes, finalizers, deletionTimestamp, status }),
      ),
    ...observed
      .slice(-20)
      .map(event =>
        event.part === 'object'
          ? `${event.resource} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`
          : JSON.stringify(event, (name, value) => (name === 'body' || name === 'data' ? undefined : value)),
      ),
  ]
    .map(line => line.slice(0, 1_000))
    .join('\n')
