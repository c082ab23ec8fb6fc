import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { findFunctions } from '../../functions/find-functions.ts'
import { createAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { startSeed } from '../../sandbox/seed/seed.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { ControlPlane } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'

const core = (plural: string, namespaced: boolean): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced,
})
const secrets = core('secrets', true)
const { resource } = kinds.ControlPlane

/** Returns the objects of examples/controlplane, in a namespace of that name. */
const example = (namespace: string): Readonly<Record<string, KubernetesObject>> => {
  const file = new URL('../../examples/controlplane/one-zone.yaml', import.meta.url)
  const text = readFileSync(file, 'utf8').replaceAll('shoot--garden--control-plane', namespace)
  const objects = parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
  return Object.fromEntries(objects.map(object => [object.kind, object]))
}

/** Starts a seed with the ControlPlane function, a resource manager, and the actions of gardenlet. */
export const startControlPlaneSeed = async () => {
  const objects = new Map<string, ControlPlane>()
  const attempts = new Map<string, number>()
  const checks = new Set<() => void>()
  const requests: string[] = []
  const seed = await startSeed({
    functions: (await findFunctions()).filter(({ kind }) => kind === 'ControlPlane'),
    kinds: ['ControlPlane'],
    clouds: { aws: simulatedAws(createAws()) },
    observe: event => {
      if (event.part === 'object' && event.resource.startsWith('controlplanes')) {
        const { namespace = '' } = event.object.metadata
        if (event.deleted) objects.delete(namespace)
        else objects.set(namespace, event.object as ControlPlane)
      }
      if (event.part === 'step') {
        const { namespace = '' } = event.event
        attempts.set(namespace, (attempts.get(namespace) ?? 0) + 1)
      }
      if (event.part === 'request') requests.push(`${event.request.method} ${event.request.path}`)
      for (const check of checks) check()
    },
  })

  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise(resolve => {
      const check = () => {
        const found = find()
        if (found === undefined) return
        checks.delete(check)
        resolve(found)
      }
      checks.add(check)
      check()
    })
  /** True if its last operation has ended in any state, and started after this timestamp. */
  const ended = (namespace: string, timestamp: string) => {
    const object = objects.get(namespace)
    if (object === undefined || object.metadata.annotations?.[annotations.timestamp] !== timestamp)
      return undefined
    const { state } = object.status?.lastOperation ?? {}
    const isDue = dueWork('ControlPlane', object, seed.clock.now()).kind !== 'none'
    return state === 'Error' || (state === 'Succeeded' && !isDue) ? object : undefined
  }
  let asked = 0
  const timestamp = () => new Date(seed.clock.now() + asked++).toISOString()

  return {
    seed,
    requests,
    steps: (namespace: string) => attempts.get(namespace) ?? 0,
    /** Creates a ControlPlane as gardenlet does. Resolves when its operation has ended. */
    create: async (
      namespace: string,
      annotate: Readonly<Record<string, string>> = {},
    ): Promise<ControlPlane> => {
      const { Namespace, Cluster, Secret, ControlPlane } = example(namespace)
      if (!Namespace || !Cluster || !Secret || !ControlPlane) throw new Error('the example is not whole')
      const { metadata } = Namespace
      await seed.kubernetes.create(core('namespaces', false), {
        ...Namespace,
        metadata: { ...metadata, annotations: annotate },
      })
      await seed.kubernetes.create(clusterKind.resource, Cluster)
      await seed.kubernetes.create(secrets, Secret)
      const at = timestamp()
      await seed.kubernetes.create(resource, {
        ...ControlPlane,
        metadata: {
          ...ControlPlane.metadata,
          annotations: { ...ControlPlane.metadata.annotations, [annotations.timestamp]: at },
        },
      })
      return until(() => ended(namespace, at))
    },
    ask: async (namespace: string, operation: string): Promise<ControlPlane> => {
      const at = timestamp()
      await seed.kubernetes.patch(
        resource,
        { name: 'control-plane', namespace },
        { metadata: { annotations: { [annotations.operation]: operation, [annotations.timestamp]: at } } },
      )
      return until(() => ended(namespace, at))
    },
    remove: async (namespace: string): Promise<void> => {
      const key = { name: 'control-plane', namespace }
      const confirmed = { [annotations.deletionConfirmation]: 'true' }
      await seed.kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await seed.kubernetes.delete(resource, key)
      await until(() => (objects.has(namespace) ? undefined : true))
    },
    secretNames: async (namespace: string): Promise<readonly string[]> =>
      (await seed.kubernetes.list(secrets, { namespace })).items.map(({ metadata }) => metadata.name).sort(),
    changeNamespace: (namespace: string, annotate: object) =>
      seed.kubernetes.patch(
        core('namespaces', false),
        { name: namespace },
        { metadata: { annotations: annotate } },
      ),
    changeShoot: (namespace: string, shoot: object) =>
      seed.kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot } }),
    live: (namespace: string) => objects.get(namespace),
    until,
  }
}
export type ControlPlaneSeed = Awaited<ReturnType<typeof startControlPlaneSeed>>
