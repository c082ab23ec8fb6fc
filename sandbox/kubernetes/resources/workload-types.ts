import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type EnforcedSchema, isRecord } from '../schema/structural-schema.ts'
import { anything, object } from './core-schemas.ts'
import { between, builtIn, column } from './core-types.ts'
import type { ResourceDefinition } from './resource-definition.ts'

const count = (description: string): EnforcedSchema => ({ type: 'integer', format: 'int32', description })

const intOrPercent = (description: string): EnforcedSchema => ({
  'x-kubernetes-int-or-string': true,
  description,
})

const deploymentSchema = object('Deployment enables declarative updates for Pods.', {
  spec: object(
    'The desired pods.',
    {
      replicas: { ...count('Desired number of pods.'), default: 1 },
      selector: anything('Selects the pods of the Deployment.'),
      template: anything('Template of a pod.'),
      strategy: anything('Strategy for the replacement of pods.'),
      minReadySeconds: count('Time that a pod must be ready before it is available, in seconds.'),
      revisionHistoryLimit: count('Number of former revisions to retain.'),
      progressDeadlineSeconds: count('Deadline for progress, in seconds.'),
      paused: { type: 'boolean', description: 'If true, changes are not rolled out.' },
    },
    ['selector', 'template'],
  ),
  status: anything('The observed state.'),
})

const numberAt = (value: unknown, name: string): number => {
  const found = isRecord(value) ? value[name] : undefined
  return typeof found === 'number' ? found : 0
}

const ready = ({ spec, status }: KubernetesObject): string =>
  `${numberAt(status, 'readyReplicas')}/${numberAt(spec, 'replicas')}`

/** Stored like any object, so that manifests apply. No pods are created. */
export const deployments: ResourceDefinition = builtIn({
  group: 'apps',
  plural: 'deployments',
  kind: 'Deployment',
  schema: deploymentSchema,
  namespaced: true,
  shortNames: ['deploy'],
  categories: ['all'],
  hasStatus: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  countsGenerations: true,
  columns: between(
    column('Ready', ready),
    column('Up-to-date', ({ status }) => numberAt(status, 'updatedReplicas')),
    column('Available', ({ status }) => numberAt(status, 'availableReplicas')),
  ),
})

/** Stored like any object, so that pods can be deleted. Nothing runs in them. */
export const pods: ResourceDefinition = builtIn({
  plural: 'pods',
  kind: 'Pod',
  schema: object('Pod is a collection of containers that can run on a host.', {
    spec: anything('Containers and other settings of the pod.'),
    status: anything('The observed state.'),
  }),
  namespaced: true,
  shortNames: ['po'],
  categories: ['all'],
  hasStatus: true,
})

const textAt = (value: unknown, name: string): string =>
  isRecord(value) && value[name] !== undefined ? String(value[name]) : 'N/A'

/** Stored like any object. No pods are evicted here. */
export const podDisruptionBudgets: ResourceDefinition = builtIn({
  group: 'policy',
  plural: 'poddisruptionbudgets',
  kind: 'PodDisruptionBudget',
  schema: object('PodDisruptionBudget limits the number of pods that are down at the same time.', {
    spec: object('The limit.', {
      minAvailable: intOrPercent('Minimum number of available pods.'),
      maxUnavailable: intOrPercent('Maximum number of unavailable pods.'),
      selector: anything('Which pods.'),
      unhealthyPodEvictionPolicy: { type: 'string', description: 'Policy for unhealthy pods.' },
    }),
    status: anything('Number of pods that may be evicted now.'),
  }),
  namespaced: true,
  shortNames: ['pdb'],
  hasStatus: true,
  countsGenerations: true,
  columns: between(
    column('Min Available', ({ spec }) => textAt(spec, 'minAvailable')),
    column('Max Unavailable', ({ spec }) => textAt(spec, 'maxUnavailable')),
    column('Allowed Disruptions', ({ status }) => numberAt(status, 'disruptionsAllowed')),
  ),
})
