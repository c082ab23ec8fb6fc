import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

const text = { type: 'string' }
const oneOf = (...names: readonly string[]) => ({ type: 'string', enum: names })

/**
 * What manifests use of VerticalPodAutoscalers, after the published definition (kubernetes/autoscaler, as Gardener installs it:
 * gardener/gardener b312835d, example/seed-crds): an unknown field is refused, and so is a mode that there is not.
 */
export const verticalPodAutoscalers: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'verticalpodautoscalers.autoscaling.k8s.io',
    // Or the API server complains about a group of Kubernetes' own.
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/63797' },
  },
  spec: {
    group: 'autoscaling.k8s.io',
    names: {
      kind: 'VerticalPodAutoscaler',
      listKind: 'VerticalPodAutoscalerList',
      plural: 'verticalpodautoscalers',
      singular: 'verticalpodautoscaler',
      shortNames: ['vpa'],
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['targetRef'],
                properties: {
                  targetRef: {
                    type: 'object',
                    required: ['kind', 'name'],
                    properties: { apiVersion: text, kind: text, name: text },
                  },
                  updatePolicy: {
                    type: 'object',
                    properties: {
                      updateMode: oneOf('Off', 'Initial', 'Recreate', 'InPlaceOrRecreate', 'InPlace', 'Auto'),
                    },
                  },
                  resourcePolicy: {
                    type: 'object',
                    properties: {
                      containerPolicies: {
                        type: 'array',
                        items: {
                          type: 'object',
                          properties: {
                            containerName: text,
                            mode: oneOf('Auto', 'Off'),
                            controlledResources: { type: 'array', items: text },
                            controlledValues: oneOf('RequestsAndLimits', 'RequestsOnly'),
                          },
                        },
                      },
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}
