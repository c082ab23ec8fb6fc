import { apiVersion, group, labels, version } from '../constants.ts'
import { type ApiKind, clusterKind, type KindName, kindNames, kinds } from '../kinds.ts'
import { type StructuralSchema, structuralSchema } from './structural-schema.ts'

/** A CustomResourceDefinition (`apiextensions.k8s.io/v1`) as a plain object, ready for `kubectl apply`. */
export type CustomResourceDefinition = ReturnType<typeof build>

/** The CRD of an extension kind, or of Cluster. */
export const crdOf = (kind: KindName | 'Cluster'): CustomResourceDefinition =>
  build(kind === 'Cluster' ? clusterKind : kinds[kind])

/** The CRDs of all extension kinds and of Cluster. */
export const allCrds = (): readonly CustomResourceDefinition[] => [...kindNames.map(crdOf), crdOf('Cluster')]

const build = (kind: ApiKind) => ({
  apiVersion: 'apiextensions.k8s.io/v1' as const,
  kind: 'CustomResourceDefinition' as const,
  metadata: {
    name: `${kind.plural}.${group}`,
    labels: { [labels.deletionProtected]: 'true' },
  },
  spec: {
    group,
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
        name: version,
        served: true,
        storage: true,
        additionalPrinterColumns: kind.printerColumns,
        schema: { openAPIV3Schema: objectSchema(kind) },
        subresources: { status: {} },
      },
    ],
  },
})

/** The API server itself looks after `apiVersion`, `kind` and `metadata`, and refuses a CRD that says more of them. */
const objectSchema = (kind: ApiKind): StructuralSchema => {
  const { properties = {}, ...rest } = structuralSchema(kind.schema)
  return {
    ...rest,
    properties: {
      ...properties,
      apiVersion: { type: 'string', description: `Version of the API: ${apiVersion}.` },
      kind: { type: 'string', description: `Kind of the object: ${kind.kind}.` },
      metadata: { type: 'object' },
    },
    required: ['spec'],
  }
}
