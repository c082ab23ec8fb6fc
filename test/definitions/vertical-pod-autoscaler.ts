import { having, listOf, oneOf, standIn, text } from './stand-in.ts'

/**
 * The fields that manifests use of VerticalPodAutoscalers, after the published definition (kubernetes/autoscaler, as
 * Gardener installs it: gardener/gardener b312835d, example/seed-crds). Unknown fields and modes are refused.
 */
export const verticalPodAutoscalers = standIn({
  group: 'autoscaling.k8s.io',
  version: 'v1',
  kind: 'VerticalPodAutoscaler',
  scope: 'Namespaced',
  // Otherwise the API server refuses a group that Kubernetes protects.
  annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/63797' },
  spec: having(
    {
      targetRef: having({ apiVersion: text, kind: text, name: text }, ['kind', 'name']),
      updatePolicy: having({
        updateMode: oneOf('Off', 'Initial', 'Recreate', 'InPlaceOrRecreate', 'InPlace', 'Auto'),
      }),
      resourcePolicy: having({
        containerPolicies: listOf(
          having({
            containerName: text,
            mode: oneOf('Auto', 'Off'),
            controlledResources: listOf(text),
            controlledValues: oneOf('RequestsAndLimits', 'RequestsOnly'),
          }),
        ),
      }),
    },
    ['targetRef'],
  ),
})
