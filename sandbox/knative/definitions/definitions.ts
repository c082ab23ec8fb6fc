import type { V1CustomResourceDefinition } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { broker, eventPolicy, sinkBinding, trigger } from './eventing.ts'
import type { KnativeKind } from './knative-kind.ts'
import { service } from './service.ts'

const definitionOf = ({
  group,
  version = 'v1',
  names,
  columns,
  schema,
}: KnativeKind): Rendered<V1CustomResourceDefinition> => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${group}` },
  spec: {
    group,
    names,
    scope: 'Namespaced',
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: columns,
        schema: { openAPIV3Schema: schema },
      },
    ],
  },
})

/**
 * Returns the Knative kinds that the manifests under `knative/` use, with the schemas of Knative eventing 8cf4c4b6 and
 * serving 98e5ef90 (2026) without descriptions. They validate a manifest as a cluster would.
 */
export const knativeDefinitions = (): readonly Rendered<V1CustomResourceDefinition>[] =>
  [broker, trigger, eventPolicy, sinkBinding, service].map(definitionOf)
