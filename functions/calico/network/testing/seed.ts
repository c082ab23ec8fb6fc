import { shootObjects } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import type { Network } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { functionSeed } from '../../../../shared/resources/testing/function-seed.ts'
import { definition } from '../function.ts'
import { configMaps, scrapeConfigs } from '../monitoring/resources.ts'
import { type NetworkActuatorOptions, networkActuator } from '../network-actuator.ts'
import { networkSettings } from '../settings.ts'

/** As installed by the Prometheus operator, without its schema. */
export const scrapeConfigCrd: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'scrapeconfigs.monitoring.coreos.com' },
  spec: {
    group: scrapeConfigs.group,
    scope: 'Namespaced',
    names: {
      plural: 'scrapeconfigs',
      singular: 'scrapeconfig',
      kind: 'ScrapeConfig',
      listKind: 'ScrapeConfigList',
    },
    versions: [
      {
        name: scrapeConfigs.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

export const namespace = 'shoot--foo--bar'

export interface SeedOptions extends NetworkActuatorOptions {
  readonly spec?: Partial<Network['spec']>
  /** Fields of the Shoot in the Cluster. */
  readonly shoot?: object
  readonly settings?: Readonly<Record<string, string>>
  readonly operation?: 'reconcile' | 'restore'
  /** True if the seed has the Prometheus operator. Default: true. */
  readonly hasPrometheus?: boolean
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
  readonly namespace?: string
}

/** The Shoot as Gardener writes it in a Cluster. */
export const shootOf = (
  fields: {
    readonly kubernetes?: object
    readonly networking?: object
    readonly status?: object
    readonly metadata?: object
  } = {},
) => ({
  ...(fields.metadata && { metadata: fields.metadata }),
  spec: {
    kubernetes: { version: '1.33.3', ...fields.kubernetes },
    networking: { type: 'calico', nodes: '10.250.0.0/16', pods: '10.3.0.0/16', ...fields.networking },
  },
  ...(fields.status && { status: fields.status }),
})

/** A seed with a Network as gardenlet creates it. */
export const newSeed = async ({
  namespace: own = namespace,
  spec,
  shoot = shootOf(),
  settings = {},
  operation = 'reconcile',
  hasPrometheus = true,
  instant = true,
  ...options
}: SeedOptions = {}) => {
  const name = 'network'
  const managedName = 'extension-networking-calico-config'
  const seed = await functionSeed({
    definition,
    actuator: networkActuator(networkSettings.parse(settings), options),
    namespace: own,
    objects: [...(hasPrometheus ? [scrapeConfigCrd] : []), ...shootObjects({ namespace: own, shoot })],
    instant,
  })
  const create = (asked: 'reconcile' | 'restore') =>
    seed.make(
      {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Network',
        metadata: { name },
        spec: {
          type: 'calico',
          podCIDR: '10.3.0.0/16',
          serviceCIDR: '10.4.0.0/16',
          ipFamilies: ['IPv4'],
          ...spec,
        },
      },
      asked,
    )
  await create(operation)
  return {
    ...seed,
    ...seed.only<Network>(name),
    create,
    writes: () => seed.requests.filter(call => !/^(get|list) /.test(call)),
    managedResource: () => seed.managedResource(managedName),
    /** The objects of the ManagedResource. */
    objects: () => seed.objectsOf(managedName),
    /** Returns the dashboards and ScrapeConfigs in the seed. */
    monitoring: async (): Promise<readonly KubernetesObject[]> => [
      ...(await seed.list(configMaps)),
      ...(hasPrometheus ? await seed.list(scrapeConfigs) : []),
    ],
  }
}
export type NetworkSeed = Awaited<ReturnType<typeof newSeed>>
