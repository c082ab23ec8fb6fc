import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** Address pools as Calico defines them. Their contents are not validated here. */
export const ipPoolDefinition: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ippools.crd.projectcalico.org' },
  spec: {
    group: 'crd.projectcalico.org',
    scope: 'Cluster',
    names: { plural: 'ippools', singular: 'ippool', kind: 'IPPool', listKind: 'IPPoolList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
