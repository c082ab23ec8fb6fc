import { stringify } from 'yaml'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { deployedObjects } from '../deployed-objects.ts'
import type { Deployment } from '../deployment.ts'
import { componentKustomization } from './component-kustomization.ts'
import type { ManifestFiles } from './manifest-files.ts'

interface Leaving {
  readonly for: string
  readonly kinds: readonly string[]
  /** Permanent pods get the cluster's default, because its classes belong to Gardener. */
  readonly priority?: true
}

/** Missing features of a cluster, with the objects that are left out. */
const components = {
  'without-oidc': {
    for: 'For a Knative with feature authentication-oidc off: it refuses EventPolicies. All pods in the namespace may then send to the Broker.',
    kinds: ['EventPolicy'],
  },
  'without-gardener': {
    for: "For a cluster without Gardener: without Gardener's policies, the policies here would cut off the bridge. It has neither a vertical pod autoscaler nor Gardener's priority classes.",
    kinds: ['NetworkPolicy', 'VerticalPodAutoscaler'],
    priority: true,
  },
} as const satisfies Readonly<Record<string, Leaving>>

export const componentNames = Object.keys(components) as readonly (keyof typeof components)[]

/**
 * Returns the files of `deploy/knative/components/<name>`: a component of kustomize on `deploy/knative/base` or
 * `deploy/knative/compact`.
 */
export const componentFiles = (
  deployment: Deployment,
  name: (typeof componentNames)[number],
): ManifestFiles => {
  const { for: purpose, kinds, priority }: Leaving = components[name]
  const objects = deployedObjects(deployment)
  const processes = priority ? objects.filter(({ kind }) => kind === 'Deployment') : []
  return new Map([
    [
      'kustomization.yaml',
      componentKustomization({
        name,
        why: purpose,
        patches: [
          ...objects.filter(({ kind }) => kinds.includes(kind)).map(deletion),
          ...processes.map(defaultPriority),
        ],
      }),
    ],
  ])
}

const headOf = ({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject) => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
})

const deletion = (object: KubernetesObject) => ({
  patch: stringify({ $patch: 'delete', ...headOf(object) }),
})

const defaultPriority = (object: KubernetesObject) => ({
  patch: stringify({ ...headOf(object), spec: { template: { spec: { priorityClassName: null } } } }),
})
