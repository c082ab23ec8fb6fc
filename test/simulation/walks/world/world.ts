import { isDeepStrictEqual } from 'node:util'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import type { ObjectPlan } from '../../../../sandbox/providers/provider.ts'
import { createObjectRows, type WorldRow } from '../../../../sandbox/simulation/oracle/oracle.ts'
import {
  completeResources,
  createSteppedSeed,
  isWriteRequest,
  requestText,
} from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { formatMilliseconds, virtualClock } from '../../../../shared/clock/clock.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import {
  createKubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import { replacedPools } from '../oracle/replaced-pools.ts'
import type { LoadedSpace, Trouble } from '../space/walk-space.ts'
import { awsCloud } from './aws-cloud.ts'
import { localCloud } from './local-cloud.ts'
import { planLiveObject } from './plan-live-object.ts'
import { startTime } from './prepared-account.ts'
import { resourceOf } from './resource-of.ts'

/** How a change ended. */
export type ChangeResult =
  /** The API server refused it. */
  | { readonly kind: 'refused'; readonly text: string }
  /** `hasPlan` is false if the first step refused the configuration before any change. */
  | {
      readonly kind: 'failed'
      readonly text: string
      readonly hasPlan: boolean
      readonly surprises: readonly string[]
    }
  | { readonly kind: 'succeeded'; readonly surprises: readonly string[] }

/** A seed with one object of a space, and its cloud. */
export interface World {
  /** Brings the objects into the seed, requests a reconcile as gardenlet does, and runs all steps. */
  change(objects: readonly KubernetesObject[], trouble?: Trouble): Promise<ChangeResult>
  /** The contents of cloud and seed. */
  rows(): readonly WorldRow[]
  plan(): Promise<ObjectPlan>
  live(): Promise<KubernetesObject>
  /** Returns problems of a world at rest: due work, and writes of one more reconcile. */
  unrest(): Promise<readonly string[]>
  close(): void
}

/** Created once, because it takes longer than most steps. */
const definitions = [...allCrds(), ...machineCrds(), ...resourceCrds()]

/** Steps of a failing object wait longer and longer; no more of its tries are of interest. */
const tries = 2

export const createWorld = (
  { definition, account, settings = {}, others }: LoadedSpace,
  first: readonly KubernetesObject[],
): World => {
  const clock = virtualClock(startTime)
  const cloud = definition.name.startsWith('local-') ? localCloud(clock, first) : awsCloud(clock, account)
  const own = ownOf(first)
  const beside = first.slice(0, -1)
  const server = createApiServer({ clock, objects: [...definitions, ...namespacesOf(first), ...beside] })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const seed = createSteppedSeed({
    definition,
    settings,
    clock,
    connection: cloud.connection,
    waits: 'advance',
    // Only a Worker has machines.
    ...(definition.kind !== 'Worker' && { others: api => completeResources(api, clock.now()) }),
    api: { administrator: kubernetes, fn: kubernetes },
  })
  if (others !== undefined) seed.interfereWith(others(kubernetes))
  const { resource } = kinds[definition.kind]
  const one = seed.object(own.metadata)
  let present: readonly KubernetesObject[] = beside

  const request = async () => {
    await clock.advance(2_000)
    return { [annotations.operation]: 'reconcile', [annotations.timestamp]: formatMilliseconds(clock.now()) }
  }
  const write = async (object: KubernetesObject): Promise<void> => {
    const live = await one.live()
    if (live === undefined) return void (await one.create(object))
    const asked = { ...object.metadata.annotations, ...(await request()) }
    const { finalizers, resourceVersion } = live.metadata
    const metadata = { ...live.metadata, ...object.metadata, annotations: asked, finalizers, resourceVersion }
    await kubernetes.replace(resource, { ...live, spec: object.spec, metadata } as KubernetesObject)
  }
  const sync = async (objects: readonly KubernetesObject[]): Promise<void> => {
    for (const object of objects) {
      const was = present.find(other => isSame(other, object))
      if (was === undefined) await kubernetes.create(resourceOf(object), object)
      else if (!isDeepStrictEqual(was, object)) {
        const live = await kubernetes.get(resourceOf(object), object.metadata)
        const metadata = { ...object.metadata, ...live?.metadata }
        await kubernetes.replace(resourceOf(object), { ...object, metadata })
      }
    }
    for (const object of present)
      if (!objects.some(other => isSame(other, object)))
        await kubernetes.delete(resourceOf(object), object.metadata)
    present = objects
  }
  const live = async (): Promise<KubernetesObject> => {
    const object = await one.live()
    if (object === undefined) throw new Error('the object is gone')
    return object
  }
  const plan = async () => {
    return planLiveObject(await live(), { definition, kubernetes, cloud, clock })
  }
  const run = async (): Promise<void> => {
    let failures = 0
    await one.run({
      longestPauseMs: (definition.resyncMs ?? Number.POSITIVE_INFINITY) - 1,
      mostSteps: 60,
      until: object => Object(object?.status).lastOperation?.state === 'Error' && ++failures === tries,
    })
  }

  return {
    rows: () => [...cloud.rows(), ...createObjectRows()('seed', server.backUp())],
    plan,
    live,
    close: () => {
      seed.close()
      server.close()
      cloud.close()
    },
    change: async (objects, trouble = {}) => {
      const changed = trouble.objects?.(objects) ?? objects
      const object = ownOf(changed)
      try {
        await write(object)
      } catch (error) {
        if (error instanceof KubernetesError && error.status < 500)
          return { kind: 'refused', text: error.message }
        throw error
      }
      await sync(changed.slice(0, -1))
      const end = trouble.cloud?.(cloud.simulated)
      try {
        const names = cloud.names()
        const pools = replacedPools(server.store)
        const planText = () =>
          plan().then(
            ({ json }) => JSON.stringify(json),
            (error: unknown) => `no plan: ${messageOf(error)}`,
          )
        // Without resources and pools, there is nothing to announce.
        const isAtStake = names.length > 0 || pools.count > 0
        const early = isAtStake ? await planText() : undefined
        await run()
        const { state } = Object((await one.live())?.status).lastOperation ?? {}
        const announced = early ?? (state === 'Succeeded' ? '' : await planText())
        const after = new Set(cloud.names())
        const surprises = [
          ...names
            .filter(name => !after.has(name) && !isNamed(announced, name))
            .map(name => `${name} was deleted, which the plan did not announce: ${announced}`),
          ...pools.surprises(announced),
        ]
        const text = String(Object((await one.live())?.status).lastError?.description ?? announced)
        return state === 'Succeeded'
          ? { kind: 'succeeded', surprises }
          : { kind: 'failed', text, hasPlan: !announced.startsWith('no plan'), surprises }
      } finally {
        end?.()
      }
    },
    unrest: async () => {
      const due = await one.due()
      if (due !== undefined && due.kind === 'emit') return [`work is due: ${JSON.stringify(due)}`]
      const there = await live()
      const writes = cloud.noteWrites()
      const before = seed.requests.length
      await write(there)
      await run()
      const { plural } = resource
      const allowed = [`patch ${plural} ${own.metadata.name}`, `patch ${plural}/status ${own.metadata.name}`]
      return [
        ...seed.requests
          .slice(before)
          .filter(isWriteRequest)
          .map(requestText)
          .filter(text => !allowed.includes(text)),
        ...writes(),
      ].map(text => `one more reconcile writes: ${text}`)
    },
  }
}

const ownOf = (objects: readonly KubernetesObject[]): KubernetesObject => {
  const own = objects.at(-1)
  if (own === undefined) throw new TypeError('a configuration has no objects')
  return own
}

/** Returns true if a plan, as JSON, contains all words of a name. */
const isNamed = (plan: string, name: string): boolean =>
  name.split(' ').every(word => plan.includes(JSON.stringify(word).slice(1, -1)))

const isSame = (one: KubernetesObject, other: KubernetesObject): boolean =>
  one.kind === other.kind &&
  one.metadata.name === other.metadata.name &&
  one.metadata.namespace === other.metadata.namespace

const namespacesOf = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  [...new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []))]
    .filter(name => !objects.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name))
    .map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
