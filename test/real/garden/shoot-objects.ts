import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { gardenShoot, projectNamespace } from './landscape.ts'

export const secret = (data: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'other',
    namespace: projectNamespace,
    labels: { 'provider.shoot.gardener.cloud/aws': 'true' },
  },
  ...{ type: 'Opaque', stringData: data },
})

export type Path = readonly (string | number)[]

/** Returns an object with another part. Undefined: without it. */
const changed = (object: unknown, [first, ...rest]: Path, value: unknown): unknown => {
  if (first === undefined) return value
  const next = changed(Object(object)[first], rest, value)
  return Array.isArray(object) ? object.with(Number(first), next) : { ...Object(object), [first]: next }
}
export const withPart = (object: KubernetesObject, path: Path, value: unknown): KubernetesObject =>
  changed(object, path, value) as KubernetesObject

export const shoot = gardenShoot()

/** The providers of the Shoot. */
export const shootProviders = ['aws', 'calico', 'gardenlinux'] as const
