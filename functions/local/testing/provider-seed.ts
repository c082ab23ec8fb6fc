import { createProviderCluster } from '../../../sandbox/providers/local/cluster/provider-cluster.ts'
import { madeUpCluster } from '../../../sandbox/providers/local/made-up-cluster.ts'
import {
  createSteppedProcess,
  isWriteRequest,
  type SteppedRequest,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { core, functionSeed } from '../../testing/function-seed.ts'
import type { LocalConnection } from '../provider/local.ts'

export const namespace = 'shoot--foo--bar'
export const infraNamespace = `infra-${namespace}`

/** An object as gardenlet has just written it. */
export const objectOf = (kind: string, name: string, spec: object): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind,
  metadata: { name, namespace, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: { type: 'local', ...spec },
})

export interface ClusterParts {
  readonly networking?: object
  readonly cloudProfile?: object
  readonly shoot?: object
  readonly status?: object
}

export const clusterOf = ({
  networking = {},
  cloudProfile = {},
  shoot = {},
  status = {},
}: ClusterParts = {}) => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: {
    cloudProfile: { spec: { ...madeUpCluster.cloudProfile, ...cloudProfile } },
    seed: {},
    shoot: {
      metadata: { name: 'bar' },
      spec: {
        networking: {
          nodes: '10.0.128.0/17',
          pods: '10.3.0.0/16',
          services: '10.4.0.0/16',
          ipFamilies: ['IPv4'],
          ...networking,
        },
        ...shoot,
      },
      status: { technicalID: namespace, ...status },
    },
  },
})

export const secretOf = (
  data: Readonly<Record<string, string>> = { kubeconfig: 'any' },
  inNamespace = namespace,
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cloudprovider', namespace: inNamespace },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
})

export interface ProviderSeedOptions {
  readonly definition: FunctionDefinition
  readonly object: KubernetesObject
  readonly cluster?: KubernetesObject
  /** null: no Secret exists. */
  readonly secret?: KubernetesObject | null
  /** True if the shoot has its namespace in the provider cluster. Default: true. */
  readonly hasNamespace?: boolean
}

/** A seed with an object of a shoot, and its provider cluster. */
export const providerSeed = async ({
  definition,
  object,
  cluster = clusterOf(),
  secret = secretOf(),
  hasNamespace = true,
}: ProviderSeedOptions) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00Z'))
  const provider = createProviderCluster({ clock, scale: 1 })
  const admin = provider.kubernetes
  const technicalId = String(Object(Object(cluster.spec).shoot).status?.technicalID)
  const infra = `infra-${technicalId}`
  if (hasNamespace)
    await admin.create(core('namespaces', false), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: infra },
    })
  await clock.advance(0)
  const calls: string[] = []
  provider.onCall(({ action, about, answer }) => calls.push(`${action}${about} ${answer}`))

  const process = createSteppedProcess(admin, () => ({}))
  const connection: LocalConnection = { providerCluster: process.start() }
  const seed = await functionSeed({
    definition,
    object,
    objects: [cluster, ...(secret === null ? [] : [secret])],
    connection,
    clock,
  })
  return {
    ...seed,
    provider,
    /** The client of another user. */
    admin,
    status: async () => Object((await seed.live())?.status),
    /** Requests to the provider cluster since the last call. */
    calls: () => calls.splice(0),
    /** The function's writes to the provider cluster since the last call. */
    providerWrites: () => process.requests.splice(0).filter(isWriteRequest).map(asRecorded),
  }
}
export type ProviderSeed = Awaited<ReturnType<typeof providerSeed>>

/** Recordings omit the precondition for the object that was read. */
const asRecorded = ({ body, ...request }: SteppedRequest): SteppedRequest => {
  if (body === undefined) return request
  const { metadata, ...fields } = body as KubernetesObject
  const { uid: _, ...kept } = metadata
  return { ...request, body: { ...fields, metadata: kept } }
}
