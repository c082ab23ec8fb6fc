import type { ApiKind } from '../api-kind.ts'
import { labels } from '../constants.ts'
import { clusterKind, type KindName, kindNames, kinds } from '../kinds.ts'
import { machineKinds } from '../machine-kinds.ts'
import { managedResourceKind } from '../resource-kinds.ts'
import { type StructuralSchema, structuralSchema } from './structural-schema.ts'

/** A CustomResourceDefinition (`apiextensions.k8s.io/v1`) as a plain object, ready for `kubectl apply`. */
export type CustomResourceDefinition = ReturnType<typeof build>

export const crdOf = (kind: KindName | 'Cluster'): CustomResourceDefinition =>
  build(kind === 'Cluster' ? clusterKind : kinds[kind], { protectedFromDeletion: true, status: {} })

/**
 * Returns the CustomResourceDefinitions of the extension kinds and of the Cluster.
 *
 * @example
 * const server = createApiServer({ clock, objects: allCrds() })
 */
export const allCrds = (): readonly CustomResourceDefinition[] => [...kindNames.map(crdOf), crdOf('Cluster')]

/**
 * Returns the CRDs of the machine-controller-manager for the seeds of tests and sandboxes. In production, Gardener
 * installs them.
 *
 * @example
 * const server = createApiServer({ clock, objects: [...allCrds(), ...machineCrds()] })
 */
export const machineCrds = (): readonly CustomResourceDefinition[] => [
  build(machineKinds.MachineClass),
  build(machineKinds.MachineDeployment, { status: {}, scale }),
  build(machineKinds.MachineSet, { status: {}, scale }),
  build(machineKinds.Machine, { status: {} }),
]

/**
 * Returns the CRD of ManagedResources. In production, Gardener installs it with its resource manager.
 *
 * @example
 * const server = createApiServer({ clock, objects: [...allCrds(), ...resourceCrds()] })
 */
export const resourceCrds = (): readonly CustomResourceDefinition[] => [
  build(managedResourceKind, { status: {} }),
]

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

interface Traits {
  readonly protectedFromDeletion?: boolean
  readonly status?: object
  readonly scale?: typeof scale
}

const build = (kind: ApiKind, { protectedFromDeletion = false, ...subresources }: Traits = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1' as const,
  kind: 'CustomResourceDefinition' as const,
  metadata: {
    name: `${kind.plural}.${kind.resource.group}`,
    ...(protectedFromDeletion ? { labels: { [labels.deletionProtected]: 'true' } } : {}),
  },
  spec: {
    group: kind.resource.group,
    names: {
      kind: kind.kind,
      listKind: kind.listKind,
      plural: kind.plural,
      ...(kind.shortNames.length === 0 ? {} : { shortNames: kind.shortNames }),
      singular: kind.singular,
    },
    scope: kind.namespaced ? ('Namespaced' as const) : ('Cluster' as const),
    versions: [
      {
        name: kind.resource.version,
        served: true,
        storage: true,
        ...(kind.printerColumns.length === 0 ? {} : { additionalPrinterColumns: kind.printerColumns }),
        schema: { openAPIV3Schema: objectSchema(kind) },
        ...(Object.keys(subresources).length === 0 ? {} : { subresources }),
      },
    ],
  },
})

/** The API server defines `apiVersion`, `kind` and `metadata`, and refuses a CRD that specifies more of them. */
const objectSchema = (kind: ApiKind): StructuralSchema => {
  const { properties = {}, required = [], ...rest } = structuralSchema(kind.schema)
  const own = required.filter(field => !['apiVersion', 'kind', 'metadata'].includes(field))
  const { group, version } = kind.resource
  return {
    ...rest,
    properties: {
      ...properties,
      apiVersion: { type: 'string', description: `Version of the API: ${group}/${version}.` },
      kind: { type: 'string', description: `Kind of the object: ${kind.kind}.` },
      metadata: { type: 'object' },
    },
    ...(own.length === 0 ? {} : { required: own }),
  }
}
