import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import { ofOthers, type Random, runningCode, type World } from '../../../../sandbox/simulation/simulation.ts'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../../../shared/contract/resource-kinds.ts'
import { secrets } from '../../../../shared/kubernetes/core-resources.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type KubernetesObject,
} from '../../../../shared/kubernetes/kubernetes.ts'
import type { Spec } from '../../points/subjects.ts'
import { poolsOf } from './worker-changes.ts'

const nodes: GroupVersionResource = { group: '', version: 'v1', plural: 'nodes', namespaced: false }
const note = `${ofOthers}note`
const hold = `${ofOthers}hold`
const { MachineDeployment, MachineClass, Machine } = machineKinds
const resources: Readonly<Record<string, GroupVersionResource>> = Object.fromEntries(
  [MachineDeployment, MachineClass, Machine, managedResourceKind].map(({ resource }) => [
    resource.plural,
    resource,
  ]),
)

type PeopleAct =
  | 'autoscale'
  | 'hold a class'
  | 'no capacity'
  | 'restart controllers'
  | 'delete a deployment'
  | 'spoil the Secret'
  | 'update the webhooks'
  | 'delete resources'
  | 'delete a Secret'

const ofWorker: readonly PeopleAct[] = [
  ...(['autoscale', 'autoscale', 'hold a class', 'no capacity'] as const),
  ...(['restart controllers', 'delete a deployment', 'spoil the Secret'] as const),
]
const ofOtherKinds: readonly PeopleAct[] = [
  ...(['delete resources', 'delete a Secret', 'restart controllers'] as const),
  ...(['spoil the Secret', 'spoil the Secret', 'update the webhooks'] as const),
]

const webhook = {
  name: 'pods.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://webhooks.example.com/pods' },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
}
const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'webhooks-of-shoots' },
}

export const peopleActs = (kind: string): readonly PeopleAct[] =>
  kind === 'Worker' ? ofWorker : ofOtherKinds

/** The ManagedResources of a kind, and their Secrets. */
const ownResources: Readonly<Record<string, RegExp>> = {
  ControlPlane: /extension-controlplane/,
  Network: /extension-networking/,
  ContainerRuntime: /extension-runtime/,
}

/** Programs and people in a seed beside the functions and gardenlet. */
export interface SeedPeople {
  /** Calico has run in the shoot, and webhooks of shoots exist. */
  begin(): Promise<unknown>
  act(pick: number): Promise<unknown>
  /** They write the object of a request before it arrives. */
  race(about: string): void
  /** Undoes what functions do not repair, and removes notes. */
  leave(): Promise<void>
}

export const createSeedPeople = (
  world: World,
  namespace: string,
  kind: string,
  { random, spec }: { readonly random: Random; readonly spec: () => Spec },
): SeedPeople => {
  const { first, clock, trace, cloud } = world
  const { kubernetes } = first
  const undos: (() => Promise<unknown>)[] = []
  let isOver = false
  const noted = new Map<string, () => Promise<unknown>>()
  const say = (text: string): void => trace.note('people', text)
  const pickOf = async (resource: GroupVersionResource, isMeant = (_: KubernetesObject) => true) => {
    const { items } = await kubernetes.list(resource, { namespace })
    const meant = items.filter(isMeant)
    return meant.length === 0 ? undefined : random.pick(meant)
  }
  const isAsleep = async (): Promise<boolean> => {
    const { shoot } = Object((await kubernetes.get(clusterKind.resource, { name: namespace }))?.spec)
    return shoot?.spec?.hibernation?.enabled === true
  }

  /** The autoscaler stays within the limits of the pool that a deployment shows. */
  const autoscale = async (name?: string): Promise<void> => {
    const found = await pickOf(
      MachineDeployment.resource,
      ({ metadata }) =>
        metadata.deletionTimestamp === undefined && (name === undefined || name === metadata.name),
    )
    if (found === undefined || Number(Object(found.spec).replicas) === 0 || (await isAsleep())) return
    const pool = poolsOf(spec()).find(one => found.metadata.name.startsWith(`${namespace}-${one.name}-z`))
    const [minimum, maximum] = [Number(pool?.minimum), Number(pool?.maximum)]
    const zones = [pool?.zones ?? []].flat().length || 1
    if (pool === undefined || !(maximum > minimum)) return
    const replicas = random.between(Math.max(1, Math.ceil(minimum / zones)), Math.floor(maximum / zones))
    const { resourceVersion } = found.metadata
    say(`the autoscaler sets ${replicas} replicas of ${found.metadata.name}`)
    await kubernetes.patch(
      MachineDeployment.resource,
      { name: found.metadata.name, namespace },
      { metadata: { resourceVersion }, spec: { replicas } },
    )
  }
  const remove = async (resource: GroupVersionResource, isMeant?: (_: KubernetesObject) => boolean) => {
    const found = await pickOf(resource, isMeant)
    if (found === undefined) return
    say(`delete ${resource.plural} ${found.metadata.name}`)
    await kubernetes.delete(resource, { name: found.metadata.name, namespace })
  }
  /** Machines drain, so their class stays until a person lets it go. */
  const holdClass = async (): Promise<void> => {
    const found = await pickOf(MachineClass.resource)
    if (found === undefined || found.metadata.deletionTimestamp !== undefined) return
    const key = { name: found.metadata.name, namespace }
    const { finalizers = [], resourceVersion } = found.metadata
    say(`hold ${key.name}`)
    await kubernetes.patch(MachineClass.resource, key, {
      metadata: { resourceVersion, finalizers: [...finalizers, hold] },
    })
    const release = async (): Promise<void> => {
      const live = await kubernetes.get(MachineClass.resource, key)
      const all = live?.metadata.finalizers ?? []
      if (live === undefined || !all.includes(hold)) return
      await kubernetes.patch(MachineClass.resource, key, {
        metadata: {
          resourceVersion: live.metadata.resourceVersion,
          finalizers: all.filter(one => one !== hold),
        },
      })
    }
    undos.push(release)
    clock.after(random.pick([100_000, 600_000]), () => void release().catch(() => {}))
  }
  const noCapacity = async (): Promise<void> => {
    if (!('aws' in cloud)) return
    const end = (cloud as AwsSide).aws.faults.add({
      service: 'ec2',
      action: 'RunInstances',
      times: null,
      effect: { kind: 'error', code: 'InsufficientInstanceCapacity', status: 500 },
    })
    say('no capacity')
    const over = async () => end()
    undos.push(over)
    clock.after(random.pick([60_000, 400_000, 1_200_000]), end)
  }
  const restartController = async (): Promise<void> => {
    say('restart the controllers')
    first.machines.restart()
    first.resources.restart()
  }
  /** A user deletes the credentials and writes them again. */
  const spoilSecret = async (): Promise<void> => {
    const { name, namespace: of = namespace } = Object(spec().secretRef)
    const key = { name, namespace: of }
    const found = await kubernetes.get(secrets, key)
    const data: Readonly<Record<string, unknown>> = Object(found?.data)
    if (Object.keys(data).length === 0) return
    say(`spoil the Secret ${name}`)
    await kubernetes.patch(secrets, key, {
      data: Object.fromEntries(Object.keys(data).map(field => [field, null])),
    })
    const repair = () => kubernetes.patch(secrets, key, { data })
    undos.push(repair)
    clock.after(random.pick([2_000, 20_000, 200_000, 1_200_000]), () => void repair().catch(() => {}))
  }
  /** A new version of the webhooks of shoots. */
  const updateWebhooks = async (): Promise<void> => {
    const key = { name: 'gardener-extension-provider-aws-shoot-webhooks', namespace: 'trellis' }
    const configuration = { ...webhooks, webhooks: [{ ...webhook, timeoutSeconds: 1 + random.int(29) }] }
    const data = {
      'configuration.json': Buffer.from(JSON.stringify(configuration)).toString('base64'),
      'path.key': Buffer.alloc(32, 7).toString('base64'),
    }
    say('update the webhooks')
    if ((await kubernetes.get(secrets, key)) !== undefined)
      return void (await kubernetes.patch(secrets, key, { data }))
    await kubernetes.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key, data })
  }
  const isOwn = ({ metadata }: KubernetesObject): boolean => ownResources[kind]?.test(metadata.name) ?? false
  const acts: Readonly<Record<PeopleAct, () => Promise<unknown>>> = {
    autoscale: () => autoscale(),
    'hold a class': holdClass,
    'no capacity': noCapacity,
    'restart controllers': restartController,
    'delete a deployment': () => remove(MachineDeployment.resource),
    'spoil the Secret': spoilSecret,
    'update the webhooks': updateWebhooks,
    'delete resources': () => remove(managedResourceKind.resource, isOwn),
    'delete a Secret': () =>
      remove(secrets, one => one.metadata.name.startsWith('managedresource-') && isOwn(one)),
  }

  const touch = async (resource: GroupVersionResource, name: string): Promise<void> => {
    const key = { name, namespace }
    const write = (text: string | null) =>
      kubernetes.patch(resource, key, { metadata: { annotations: { [note]: text } } })
    await write('of others')
    noted.set(`${resource.plural} ${name}`, () => write(null))
  }
  const attempt = (work: Promise<unknown>): Promise<unknown> =>
    work.catch(error => say(`failed: ${String(error)}`))
  const reportCalico = async (): Promise<void> => {
    const { server } = await world.shoots.open(namespace)
    const shoot = createKubernetes({ transport: server.controllerTransport, clock })
    const condition = { type: 'NetworkUnavailable', status: 'False', reason: 'CalicoIsUp' }
    for (const { metadata, status } of (await shoot.list(nodes, {})).items) {
      const conditions = [[Object(status).conditions ?? []].flat(), condition].flat()
      await shoot.patch(nodes, { name: metadata.name }, { status: { conditions } }, { subresource: 'status' })
    }
  }
  return {
    begin: async () => {
      await attempt(reportCalico())
      await attempt(updateWebhooks())
    },
    act: pick => {
      const all = peopleActs(kind)
      return attempt(acts[all[pick % all.length] ?? 'autoscale']())
    },
    race: about => {
      const [, plural = '', name = ''] = /\/namespaces\/[^/]+\/([a-z]+)\/([^/?]+)/.exec(about) ?? []
      const resource = resources[plural]
      if (isOver || resource === undefined) return
      const work =
        plural === MachineDeployment.resource.plural ? () => autoscale(name) : () => touch(resource, name)
      runningCode.exit(() => void attempt(work()))
    },
    leave: async () => {
      isOver = true
      for (const undo of [...undos.splice(0), ...noted.values()]) await attempt(undo())
    },
  }
}
