import { landscape, wholeShoot } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

const core = 'core.gardener.cloud/v1beta1'
export const lawn = 'garden-lawn'

/** Gardener requires more of a profile than the imitation of a garden does. */
export const cloudProfile = {
  ...landscape.cloudProfile,
  spec: {
    ...Object(landscape.cloudProfile).spec,
    kubernetes: { versions: [{ version: wholeShoot.spec.kubernetes.version }] },
    volumeTypes: ['gp3', 'io1'].map(name => ({ name, class: 'premium' })),
  },
} as unknown as KubernetesObject

export const secret = (data: Readonly<Record<string, string>>, name = 'other'): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: lawn, labels: { 'provider.shoot.gardener.cloud/aws': 'true' } },
  ...{ type: 'Opaque', stringData: data },
})

const project: KubernetesObject = {
  apiVersion: core,
  kind: 'Project',
  metadata: { name: 'lawn' },
  spec: { namespace: lawn, owner: { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'trellis' } },
}

const binding: KubernetesObject = {
  apiVersion: 'security.gardener.cloud/v1alpha1',
  kind: 'CredentialsBinding',
  metadata: { name: 'cloud', namespace: lawn },
  ...{
    provider: { type: 'aws' },
    credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'cloud', namespace: lawn },
  },
}

export type Path = readonly (string | number)[]

/** Returns an object with another part. Undefined: without it. */
const changed = (object: unknown, [first, ...rest]: Path, value: unknown): unknown => {
  if (first === undefined) return value
  const next = changed(Object(object)[first], rest, value)
  return Array.isArray(object) ? object.with(Number(first), next) : { ...Object(object), [first]: next }
}
export const withPart = (object: KubernetesObject, path: Path, value: unknown): KubernetesObject =>
  changed(object, path, value) as KubernetesObject

const { dns: _, ...spec } = wholeShoot.spec
export const shoot: KubernetesObject = {
  apiVersion: core,
  kind: 'Shoot',
  metadata: { name: wholeShoot.metadata.name, namespace: lawn },
  spec: { ...spec, cloudProfile: { kind: 'CloudProfile', name: 'aws' }, credentialsBindingName: 'cloud' },
}

/** All that the Shoot needs in the garden, besides the registrations of `shootProviders`. */
export const shootNeeds: readonly KubernetesObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: lawn,
      labels: { 'gardener.cloud/role': 'project', 'project.gardener.cloud/name': 'lawn' },
    },
  },
  project,
  cloudProfile,
  secret(landscape.credentials, 'cloud'),
  binding,
]

/** The providers of the Shoot. */
export const shootProviders = ['aws', 'calico', 'gardenlinux'] as const
