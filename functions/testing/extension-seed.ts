import { clusterKind } from '../../shared/contract/kinds.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readManifests } from '../../shared/resources/resources.ts'
import { imitatedResourceManager, type Treatment } from '../../shared/resources/testing/resource-manager.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { core, functionSeed, secrets } from './function-seed.ts'

export const namespace = 'shoot--foo--bar'
export const networkPolicies = core('networkpolicies', true, 'networking.k8s.io')

export const extensionOf = (
  { types: [type = ''] }: FunctionDefinition,
  extensionClass?: 'seed' | 'garden',
): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Extension',
  metadata: { name: type, namespace, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: { type, ...(extensionClass !== undefined && { class: extensionClass }) },
})

export const clusterOf = (shoot: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: namespace },
  spec: { cloudProfile: {}, seed: {}, shoot },
})

export interface ExtensionSeedOptions {
  readonly object?: KubernetesObject
  /** Null: no Secret exists. */
  readonly cluster?: KubernetesObject | null
  readonly objects?: readonly KubernetesObject[]
  /** The resource manager's treatment of all ManagedResources. */
  readonly treatment?: Treatment
}

/** A seed with one Extension, and a resource manager that runs after each step. */
export const extensionSeed = async (
  definition: FunctionDefinition,
  {
    object = extensionOf(definition),
    cluster = clusterOf(),
    objects = [],
    treatment = 'apply',
  }: ExtensionSeedOptions = {},
) => {
  const { namespace: where = '' } = object.metadata
  let treated: Treatment = treatment
  const seed = await functionSeed({
    definition,
    object,
    objects: [...(cluster === null ? [] : [cluster]), ...objects],
    others: kubernetes => {
      const manager = imitatedResourceManager(kubernetes, where)
      manager.treat('all', treated)
      return manager.work()
    },
  })
  const list = async (resource: typeof secrets) =>
    (await seed.kubernetes.list(resource, { namespace: where })).items
  return {
    ...seed,
    treat: (next: Treatment) => {
      treated = next
    },
    status: async () => Object((await seed.live())?.status),
    policies: () => list(networkPolicies),
    secretNames: async () => (await list(secrets)).map(({ metadata }) => metadata.name),
    changeCluster: (shoot: object) =>
      seed.kubernetes.patch(clusterKind.resource, { name: where }, { spec: { shoot } }),
    managedResources: async () => {
      const found = (await list(managedResourceKind.resource)) as readonly ManagedResource[]
      return Promise.all(
        found.map(async ({ metadata, spec }) => {
          const [ref] = spec?.secretRefs ?? []
          const secret = await seed.kubernetes.get(secrets, { name: ref?.name ?? '', namespace: where })
          return {
            name: metadata.name,
            isDeleting: metadata.deletionTimestamp !== undefined,
            spec: { ...spec, secretRefs: spec?.secretRefs?.length },
            objects: await readManifests(secret?.data),
          }
        }),
      )
    },
  }
}
export type ExtensionSeed = Awaited<ReturnType<typeof extensionSeed>>
