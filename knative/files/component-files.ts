import { stringify } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
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
    for: 'For a Knative whose feature authentication-oidc is off: it refuses EventPolicies. Every pod of the namespace may then send to the Broker.',
    kinds: ['EventPolicy'],
  },
  'without-gardener': {
    for: "For a cluster without Gardener: it has no vertical pod autoscaler and no priority classes of Gardener, and without Gardener's policies ours would block the bridge.",
    kinds: ['NetworkPolicy', 'VerticalPodAutoscaler'],
    priority: true,
  },
  'seed-process-without-gardener': {
    for: 'The same for knative/seed-process: for a cluster without Gardener, which has no vertical pod autoscaler and no priority classes of Gardener.',
    kinds: ['VerticalPodAutoscaler'],
    priority: true,
  },
} as const satisfies Readonly<Record<string, Leaving>>

/** The components of kustomize on `knative/base`. */
export const baseComponentNames = ['without-oidc', 'without-gardener'] as const

/** Returns the files of `knative/components/<name>`: a component of kustomize on the manifests of a deployment. */
export const componentFiles = (deployment: Deployment, name: keyof typeof components): ManifestFiles => {
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
