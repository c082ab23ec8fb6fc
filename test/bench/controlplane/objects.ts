import { clusterOf, controlPlaneOf } from '../../../functions/aws/controlplane/testing/control-plane.ts'
import { labels } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { askedAt } from '../shoot.ts'

export const name = 'rose'

/** The objects in a shoot's namespace before its ControlPlane is created. */
export const shootOf = (
  namespace: string,
  { isHibernated = false }: { readonly isHibernated?: boolean } = {},
): {
  readonly namespace: KubernetesObject
  readonly cluster: KubernetesObject
  readonly secret: KubernetesObject
} => {
  const cluster = clusterOf(isHibernated ? { hibernation: { wanted: true, reached: true } } : {})
  return {
    namespace: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
    },
    cluster: { ...cluster, metadata: { name: namespace } },
    secret: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloudprovider', namespace },
      data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
    },
  }
}

/** A ControlPlane that gardenlet has just created, for Kubernetes 1.33 and without special settings. */
export const controlPlaneObject = (namespace: string, nth = 0): KubernetesObject => {
  const { spec, ...object } = controlPlaneOf({})
  return {
    ...object,
    metadata: { name, namespace, annotations: askedAt(nth) },
    spec: { ...spec, secretRef: { name: 'cloudprovider', namespace } },
  }
}
