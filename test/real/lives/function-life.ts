import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type FunctionSeed, functionSeed, secrets } from '../../../functions/testing/function-seed.ts'
import { isOwnWrite } from '../../../functions/testing/play-life.ts'
import { systemClock, virtualClock } from '../../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import type { ManagedResource } from '../../../shared/contract/objects.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import {
  createKubernetes,
  eventResource,
  httpTransport,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  kubeconfigAccess,
} from '../../../shared/kubernetes/kubernetes.ts'
import { readManifests } from '../../../shared/resources/resources.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { kindsOfOthers, refusalsOf } from '../control-plane-objects.ts'
import type { RealCluster } from '../real-cluster.ts'
import { overtaking } from './overtaking.ts'

/** The life of a function in a test. */
export interface FunctionLife {
  readonly definition: FunctionDefinition
  /**
   * Relative to `examples`. The first object of the function's kind is the subject. Objects of other kinds are created
   * before it.
   */
  readonly example: string
  /** The author's change to the object. */
  readonly change: object
  readonly connection?: (namespace: string) => Promise<unknown>
  /** Additional objects that are created before it. */
  readonly besides?: (namespace: string) => readonly KubernetesObject[] | Promise<readonly KubernetesObject[]>
  /** Returns actions of other components between two steps. */
  readonly others?: (kubernetes: Kubernetes, namespace: string) => () => Promise<unknown>
  /** Resources of which another client creates an object at the same time as the function. */
  readonly overtaken?: readonly string[]
  /** Wraps the function's client with actions of others right before a write. */
  readonly around?: (fn: Kubernetes, administrator: Kubernetes, namespace: string) => Kubernetes
  /** Runs additional steps between the change and the move. */
  readonly meanwhile?: (led: LedLife) => Promise<unknown>
  /** Performs gardenlet's actions for a move, and returns the state to restore. Default: the state of the function. */
  readonly move?: (kubernetes: Kubernetes, namespace: string) => Promise<object | undefined>
  /** Returns objects that exist right before the deletion. */
  readonly atTheEnd?: (namespace: string) => readonly KubernetesObject[]
  /** True if its steps wait for the cloud with the clock. */
  readonly waitsInSteps?: true
  /** Permissions that only health checks use: `list deployments.apps`. */
  readonly forHealth?: readonly string[]
  /** True for a kind that is never moved. */
  readonly stays?: true
  /** True if `meanwhile` calls `orphanAnother`. */
  readonly leavesOrphans?: true
}

export interface LedLife {
  readonly seed: FunctionSeed
  readonly cluster: RealCluster
  readonly namespace: string
  /** Creates and deletes another object of the function, with only the given surroundings. */
  readonly leadAnother: (object: KubernetesObject, ...besides: readonly KubernetesObject[]) => Promise<void>
  /** Creates another object with its shoot, and forces its deletion without its Secret. Returns the Event about it. */
  readonly orphanAnother: (
    object: KubernetesObject,
    ...besides: readonly KubernetesObject[]
  ) => Promise<KubernetesObject | undefined>
  /** Creates another object that is refused, and deletes it. */
  readonly refuseAnother: (object: KubernetesObject) => Promise<void>
  /** Waits until nothing is due, and the last operation is this one and has succeeded. */
  readonly untilEnded: (type: string) => Promise<void>
}

const examples = join(import.meta.dirname, '..', '..', '..', 'examples')

/** Returns the objects of an example, in the namespace of a shoot of this name. */
export const exampleIn = async (file: string, namespace: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(join(examples, file), 'utf8')
  const ofShoot = /shoot--[a-z0-9-]+?(?=--[0-9a-f]{8}-|\s|$)/m.exec(text)?.[0]
  return parseAllDocuments(ofShoot === undefined ? text : text.replaceAll(ofShoot, namespace)).flatMap(
    document => (document.toJS() as KubernetesObject | null) ?? [],
  )
}

const succeeded = async (seed: FunctionSeed, type: string): Promise<void> => {
  await seed.converge()
  const { lastOperation, lastError } = Object((await seed.live())?.status)
  const isDone = lastOperation?.state === 'Succeeded'
  expect({
    type: lastOperation?.type,
    state: lastOperation?.state,
    error: lastError?.description,
    waitsFor: isDone ? undefined : lastOperation?.description,
  }).toEqual({ type, state: 'Succeeded', error: undefined, waitsFor: undefined })
}

/** Returns the API server's refusals of the objects in all ManagedResources of a namespace. */
const refusedObjects = async (cluster: RealCluster, namespace: string): Promise<readonly string[]> => {
  const { kubernetes } = cluster
  const { items } = await kubernetes.list(managedResourceKind.resource, { namespace })
  const objects = (items as readonly ManagedResource[]).map(async ({ spec }) => {
    const [ref] = spec?.secretRefs ?? []
    const secret = await kubernetes.get(secrets, { name: ref?.name ?? '', namespace })
    return (await readManifests(secret?.data)) as readonly KubernetesObject[]
  })
  const found = (await Promise.all(objects)).flat()
  const defined = found.flatMap(one => (one.kind === 'CustomResourceDefinition' ? [kindDefinedBy(one)] : []))
  const { refusals, unknown } = await refusalsOf(cluster, found)
  // The last check of a valid object: another client may have applied it.
  const real = refusals.filter(refusal => !refusal.endsWith('already exists'))
  return [...real, ...unknown.filter(kind => ![...kindsOfOthers, ...defined].includes(kind))]
}

const kindDefinedBy = ({ spec }: KubernetesObject): string => String(Object(spec).names.kind)

const removed = async (seed: FunctionSeed): Promise<void> => {
  await seed.remove()
  await seed.converge()
  expect(await seed.live()).toBeUndefined()
}

/** Runs an object through all events of a life, with the token of the function's ServiceAccount. */
export const leadThroughLife = async (cluster: RealCluster, life: FunctionLife): Promise<void> => {
  const { definition, connection = async () => undefined, around = fn => fn, overtaken = [], others } = life
  const { name, kind } = definition
  const file = await cluster.server.kubeconfig({ namespace: 'trellis', name })
  const transport = httpTransport({ access: await kubeconfigAccess({ file, clock: systemClock }) })
  try {
    const fn = createKubernetes({ transport: transport.send, clock: systemClock })
    const seedOf = async (object: KubernetesObject, besides: readonly KubernetesObject[]) => {
      const namespace = object.metadata.namespace ?? shootOf(name)
      const administrator = cluster.kubernetes
      await makeThere(cluster, besides)
      const reachable = await connection(namespace)
      return functionSeed({
        definition,
        object,
        clock: virtualClock(Date.now()),
        api: {
          administrator,
          fn: around(overtaking(fn, administrator, overtaken), administrator, namespace),
        },
        ...(others && { others: others(administrator, namespace) }),
        ...(reachable !== undefined && { connection: reachable }),
        ...(life.waitsInSteps && { waits: 'advance' }),
      })
    }
    const settled = async (of: FunctionSeed, type: string, inNamespace: string) => {
      await succeeded(of, type)
      expect(await refusedObjects(cluster, inNamespace)).toEqual([])
    }
    const namespace = shootOf(name)
    const given = await exampleIn(life.example, namespace)
    const object = given.find(one => one.kind === kind)
    if (object === undefined) throw new Error(`there is no ${kind} in ${life.example}`)
    const before = given.filter(one => one.kind !== kind)
    const seed = await seedOf(object, [...before, ...((await life.besides?.(namespace)) ?? [])])

    await settled(seed, 'Create', namespace)
    await seed.ask('reconcile')
    seed.takeWrites()
    await succeeded(seed, 'Reconcile')
    expect(seed.takeWrites().filter(write => !isOwnWrite(kinds[kind].resource.plural)(write))).toEqual([])
    await seed.ask('reconcile', life.change)
    await settled(seed, 'Reconcile', namespace)
    await life.meanwhile?.({
      ...{ seed, cluster, namespace },
      untilEnded: type => settled(seed, type, namespace),
      leadAnother: async (other, ...besides) => {
        const another = await seedOf(other, besides)
        await settled(another, 'Create', other.metadata.namespace ?? '')
        await removed(another)
      },
      orphanAnother: async (other, ...besides) => {
        const there = other.metadata.namespace ?? ''
        const another = await seedOf(other, besides)
        await settled(another, 'Create', there)
        await forceDeletion(cluster.kubernetes, there)
        const { name: secret = '' } = Object(other.spec).secretRef
        await cluster.kubernetes.delete(secrets, { name: secret, namespace: there })
        await removed(another)
        return (await cluster.kubernetes.list(eventResource, { namespace: there })).items[0]
      },
      refuseAnother: async other => {
        const another = await seedOf(other, [])
        await another.converge()
        expect(await another.live()).toMatchObject({ status: { lastOperation: { state: 'Error' } } })
        await removed(another)
      },
    })
    if (!life.stays) {
      await seed.ask('migrate')
      await succeeded(seed, 'Migrate')
      const state =
        (await life.move?.(cluster.kubernetes, namespace)) ?? Object((await seed.live())?.status).state
      await seed.arrive(state && { state })
      await seed.ask('restore')
      await succeeded(seed, 'Restore')
    }
    await makeThere(cluster, life.atTheEnd?.(namespace) ?? [])
    await removed(seed)
  } finally {
    transport.close()
  }
}

const forceDeletion = (kubernetes: Kubernetes, shoot: string): Promise<unknown> => {
  const annotations = { 'confirmation.gardener.cloud/force-deletion': 'true' }
  return kubernetes.patch(
    clusterKind.resource,
    { name: shoot },
    { spec: { shoot: { metadata: { annotations } } } },
  )
}

const shootOf = (name: string): string => `shoot--real--${name.slice(0, 40)}`

/** Creates missing objects. Several lives share the namespace `garden`. */
const makeThere = async (cluster: RealCluster, objects: readonly KubernetesObject[]): Promise<void> => {
  const isNamespace = ({ kind }: KubernetesObject) => kind === 'Namespace'
  for (const object of [...objects.filter(isNamespace), ...objects.filter(one => !isNamespace(one))]) {
    try {
      await cluster.create([object])
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
    }
  }
}
