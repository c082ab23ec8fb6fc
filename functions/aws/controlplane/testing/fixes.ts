import type { ManagedResourceName } from '../../../../shared/control-plane/control-plane.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

interface Fix {
  /** The defect, in the words of docs/contract/control-plane.md#defects-of-the-go-extension. */
  readonly why: string
  readonly resource: ManagedResourceName
  /** Changes rendered objects to those of the Go extension. */
  readonly undo: (objects: readonly KubernetesObject[]) => readonly KubernetesObject[]
}

type Json = { [field: string]: unknown }

/** Returns a copy of the objects in which one of that kind and name is changed. */
const changed =
  (kind: string, name: string | RegExp, change: (object: Json) => void) =>
  (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
    objects.map(object => {
      const { name: found } = object.metadata
      if (object.kind !== kind || !(name instanceof RegExp ? name.test(found) : name === found)) return object
      const copy = structuredClone(object)
      change(copy as unknown as Json)
      return copy
    })

interface RecordedPods {
  readonly template: {
    readonly spec: { readonly containers: { args: string[]; imagePullPolicy?: string }[] }
  }
}

/** The intended differences between the recordings and the rendered objects. Any other difference is a mistake. */
export const fixes: readonly Fix[] = [
  {
    why: 'the controller of routes may read one Secret',
    resource: 'extension-controlplane-seed',
    undo: changed('Role', 'aws-custom-route-controller', role => {
      role.rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]
    }),
  },
  {
    why: 'feature gates end without a comma',
    resource: 'extension-controlplane-seed',
    undo: changed('Deployment', 'csi-driver-controller', ({ spec }) => {
      for (const container of (spec as RecordedPods).template.spec.containers)
        container.args = container.args.map(arg => arg.replace(/^--feature-gates=.*$/, '$&,'))
    }),
  },
  {
    why: 'the load balancer controller has a PodDisruptionBudget, where its pods are',
    resource: 'extension-controlplane-seed',
    undo: objects =>
      objects.filter(
        ({ kind, metadata }) =>
          kind !== 'PodDisruptionBudget' || metadata.name !== 'aws-load-balancer-controller',
      ),
  },
  {
    why: 'the image of the load balancer controller is pulled once',
    resource: 'extension-controlplane-seed',
    undo: changed('Deployment', 'aws-load-balancer-controller', ({ spec }) => {
      for (const container of (spec as RecordedPods).template.spec.containers)
        delete container.imagePullPolicy
    }),
  },
  ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding'].map(
    (kind): Fix => ({
      why: 'labels of the EFS controller name the controller',
      resource: 'extension-controlplane-shoot',
      undo: changed(
        kind,
        /^(efs-csi-controller-sa|efs-csi-external-provisioner-role|efs-csi-provisioner-binding)$/,
        ({ metadata }) => {
          ;(metadata as Json).labels = { 'app.kubernetes.io/name': 'csi-driver-efs-node' }
        },
      ),
    }),
  ),
]
