import { when } from '../../shared/lists/when.ts'
import type { Deployment } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

/**
 * Adjusts the resource requests of a permanent process to its usage. Functions have none: a Knative Service cannot be
 * the target of a VerticalPodAutoscaler (it has no scale subresource), and evicting a pod of a revision would end
 * steps.
 */
export const verticalScaling = (
  { namespace, verticalScaling: wanted }: Pick<Deployment, 'namespace' | 'verticalScaling'>,
  name: string,
  container: string,
): readonly Explained[] =>
  when(
    wanted,
    explained({
      apiVersion: 'autoscaling.k8s.io/v1',
      kind: 'VerticalPodAutoscaler',
      metadata: { name, namespace },
      spec: {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        updatePolicy: { updateMode: 'InPlaceOrRecreate' },
        resourcePolicy: {
          containerPolicies: [
            {
              containerName: container,
              controlledResources: ['cpu', 'memory'],
              controlledValues: 'RequestsOnly',
            },
            { containerName: '*', mode: 'Off' },
          ],
        },
      },
    }),
  )
