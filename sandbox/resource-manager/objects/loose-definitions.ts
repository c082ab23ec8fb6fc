import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

interface LooseKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly annotations?: Readonly<Record<string, string>>
}

/** Kinds that Gardener installs in every seed and that control planes use. */
const kindsOfSeeds: readonly LooseKind[] = [
  {
    group: 'autoscaling.k8s.io',
    version: 'v1',
    kind: 'VerticalPodAutoscaler',
    plural: 'verticalpodautoscalers',
    // An API server refuses a definition in one of Kubernetes' own groups without this annotation
    // (kubernetes/autoscaler sets the same value).
    annotations: {
      'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/63797',
    },
  },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PrometheusRule', plural: 'prometheusrules' },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'ServiceMonitor', plural: 'servicemonitors' },
  { group: 'monitoring.coreos.com', version: 'v1alpha1', kind: 'ScrapeConfig', plural: 'scrapeconfigs' },
]

/** The kinds in every shoot. */
const kindsOfShoots: readonly LooseKind[] = kindsOfSeeds.slice(0, 1)

/** Returns definitions without a schema. Nothing here reacts to objects of these kinds. */
export const looseDefinitions = (cluster: 'seed' | 'shoot'): readonly KubernetesObject[] =>
  (cluster === 'seed' ? kindsOfSeeds : kindsOfShoots).map(
    ({ group, version, kind, plural, annotations }) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}`, ...(annotations && { annotations }) },
      spec: {
        group,
        names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
        scope: 'Namespaced',
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    }),
  )
