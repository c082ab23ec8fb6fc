import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import {
  interceptedKubernetes,
  requestText,
  shootObjects,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { type VirtualClock, virtualClock } from '../../clock/clock.ts'
import { allCrds, machineCrds } from '../../contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../contract/kinds.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type KubernetesObject,
  type Permission,
  permittedKubernetes,
} from '../../kubernetes/kubernetes.ts'
import { lifecyclePermissions } from '../../lifecycle/lifecycle.ts'
import type { ReachedShoot } from '../../shoot/shoot.ts'
import { type HealthDefinition, runHealthCheck } from '../health.ts'

const core = (plural: string, group = '', namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const deployments = core('deployments', 'apps')
const events = core('events')
const secrets = core('secrets')

export interface HealthSeedOptions {
  readonly kind: 'ControlPlane' | 'Extension' | 'Worker'
  /** Default: shoot. */
  readonly extensionClass?: 'seed' | 'garden'
  readonly definition: HealthDefinition
  /** Permissions of the function, in addition to those of the lifecycle. */
  readonly permissions: readonly Permission[]
  readonly namespace?: string
  /** `spec.type` of the object. Default: `aws`, like the function. */
  readonly type?: string
  /** `spec.shoot` of the Cluster. Null: no Cluster. */
  readonly shoot?: object | null
  /** Default: with the kubeconfig in the namespace. */
  readonly openShoot?: () => Promise<ReachedShoot>
}

type Conditions = readonly Readonly<Record<string, unknown>>[]

/** The conditions of a Deployment or MachineDeployment: `{ Available: ['False', 'Reason', 'message'] }`. */
export type Reported = Readonly<Record<string, readonly [status: string, reason?: string, message?: string]>>

/** A seed with one ControlPlane or Worker of type `aws`. Events run its health checks. */
export const newHealthSeed = async ({
  kind,
  definition,
  permissions,
  namespace = 'shoot--hc--d',
  type = 'aws',
  shoot = {},
  openShoot,
  extensionClass,
}: HealthSeedOptions) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const server = createApiServer({
    clock,
    objects: [
      ...allCrds(),
      ...machineCrds(),
      ...shootObjects({ namespace, ...(shoot && { shoot }) }).filter(
        ({ kind: of }) => of === 'Namespace' || shoot !== null,
      ),
    ],
    deletionProtection: false,
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const { resource } = kinds[kind]
  const key = { name: 'object', namespace }
  await kubernetes.create(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind,
    metadata: key,
    spec: {
      type,
      ...(kind === 'Extension'
        ? extensionClass && { class: extensionClass }
        : { region: 'eu-west-1', secretRef: { name: 'cloudprovider', namespace } }),
      ...(kind === 'Worker' && { pools: [] }),
    },
  })
  const interference: { before?: (call: string) => void | Promise<void> } = {}
  const requests: string[] = []
  const noted = interceptedKubernetes(kubernetes, async (request, work) => {
    const { verb, resource: of } = request
    // The subresource of a patch is not of interest.
    const call = verb === 'patch' ? `patch ${of.split('/')[0]}` : requestText(request)
    await interference.before?.(call)
    requests.push(call)
    return work()
  })
  const port = permittedKubernetes(noted, [...lifecyclePermissions(kind), ...permissions])
  const live = async (): Promise<KubernetesObject> => {
    const object = await kubernetes.get(resource, key)
    if (object === undefined) throw new Error('the object was deleted')
    return object
  }
  const conditions = async (): Promise<Conditions> =>
    (Object((await live()).status).conditions ?? []) as Conditions
  const put = async (of: GroupVersionResource, object: KubernetesObject, status: object) => {
    const { name } = object.metadata
    const there = await kubernetes.get(of, { name, namespace })
    if (there === undefined) await kubernetes.create(of, object)
    else await kubernetes.patch(of, { name, namespace }, { spec: object.spec })
    // A patch would merge the previous conditions.
    const present = await kubernetes.get(of, { name, namespace })
    if (present !== undefined) await kubernetes.replace(of, { ...present, status }, { subresource: 'status' })
  }
  const conditionsOf = (reported: Reported) =>
    Object.entries(reported).map(([type, [status, reason = '', message = '']]) => ({
      type,
      status,
      reason,
      message,
    }))
  const seed = {
    clock,
    kubernetes,
    server,
    key,
    resource,
    namespace,
    interference,
    requests,
    live,
    conditions,
    /** Runs the check of one event. */
    check: (reason = 'refresh') =>
      runHealthCheck(
        {
          kubernetes: port,
          clock,
          log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
          backend: { kind, types: ['aws'], ...(extensionClass && { classes: [extensionClass] }) },
          definition,
          ...(openShoot && { openShoot }),
        },
        { ...key, reason },
        new AbortController().signal,
      ),
    /** Runs the check and returns the conditions without times. */
    checked: async (): Promise<Conditions> => {
      const outcome = await seed.check()
      if (outcome.kind !== 'recorded') throw new Error(JSON.stringify(outcome))
      return (await conditions()).map(({ lastTransitionTime: _, lastUpdateTime: __, ...rest }) => rest)
    },
    patch: (patch: object) => kubernetes.patch(resource, key, patch),
    patchStatus: (status: object) => kubernetes.patch(resource, key, { status }, { subresource: 'status' }),
    patchShoot: (spec: object) =>
      kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: { spec } } }),
    deployment: (
      name: string,
      reported: Reported,
      { replicas = 1, outdated = false }: { readonly replicas?: number; readonly outdated?: boolean } = {},
    ) =>
      put(
        deployments,
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name, namespace },
          spec: {
            replicas,
            selector: { matchLabels: { app: name } },
            template: {
              metadata: { labels: { app: name } },
              spec: { containers: [{ name: 'one', image: 'one' }] },
            },
          },
        },
        { observedGeneration: outdated ? 0 : 99, conditions: conditionsOf(reported) },
      ),
    machineDeployment: (
      name: string,
      reported: Reported,
      failed: Readonly<Record<string, string>> = {},
      observedGeneration = 99,
    ) =>
      put(
        machineKinds.MachineDeployment.resource,
        {
          apiVersion: 'machine.sapcloud.io/v1alpha1',
          kind: 'MachineDeployment',
          metadata: { name, namespace },
          spec: {
            replicas: 1,
            template: { spec: { class: { kind: 'MachineClass', name } } },
          },
        },
        {
          observedGeneration,
          conditions: conditionsOf(reported),
          failedMachines: Object.entries(failed).map(([machine, description]) => ({
            name: machine,
            lastOperation: { description, state: 'Failed', type: 'Create' },
          })),
        },
      ),
    secret: (name: string, data: Readonly<Record<string, string>>) =>
      kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace },
        data: Object.fromEntries(Object.entries(data).map(([entry, value]) => [entry, btoa(value)])),
      }),
  }
  return seed
}

export const available: Reported = { Available: ['True', 'MinimumReplicasAvailable', 'fine'] }

/**
 * Advances the clock until the work has ended, for work that waits for the clock between two responses of the system.
 */
export const whileTimePasses = async <T>(clock: VirtualClock, work: Promise<T>): Promise<T> => {
  let ended = false
  const end = () => {
    ended = true
  }
  work.then(end, end)
  while (!ended) {
    await new Promise(resolve => setTimeout(resolve, 10))
    if (!ended) await clock.advance(250)
  }
  return work
}

/** The API server of a shoot with events, without a socket. */
export const shootInMemory = (clock: VirtualClock) => {
  const server = createApiServer({ clock, objects: [] })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  let number = 0
  return {
    server,
    open: async (): Promise<ReachedShoot> => ({ kubernetes, close: () => {} }),
    /** Creates an event of a component's ServiceAccount. */
    event: (account: string, fields: object) =>
      kubernetes.create(events, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `${account}.${++number}`, namespace: 'kube-system' },
        involvedObject: { kind: 'ServiceAccount', name: account, namespace: 'kube-system' },
        ...fields,
      }),
  }
}
