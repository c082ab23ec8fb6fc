import {
  findImage,
  type ImageSource,
  inInstallOrder,
  noCleanUpLabels,
} from '../../../build/library/components.ts'
import type { DesiredManagedResource } from '../../../build/library/resources.ts'
import type { KubernetesObject } from '../../../build/library/trellis.ts'
import { autoscalers } from './autoscaling/autoscalers.ts'
import { kubeControllers } from './controllers/kube-controllers.ts'
import { tierGetter } from './controllers/tier-getter.ts'
import { crds } from './crds/crds.ts'
import type { CalicoValues } from './input/calico-values.ts'
import { multus } from './multus/multus.ts'
import { calicoNode } from './node/calico-node.ts'
import type { CalicoComponent, CalicoRendering } from './rendering.ts'
import { typha } from './typha/typha.ts'

/** Pod ranges. If the overlay is unset, Calico creates the IPv4 pool itself. */
const ipPools: CalicoComponent = ({ ipv4, ipv6, overlay, hasVxlanOverlay, nodeRange }) => [
  ...(ipv4 !== undefined && overlay !== 'unsaid'
    ? [
        pool(
          'default-ipv4-ippool',
          podPool(26, ipv4.range, {
            natOutgoing: true,
            ipipMode: overlay === 'on' && !hasVxlanOverlay ? 'Always' : 'Never',
            vxlanMode: hasVxlanOverlay ? 'Always' : 'Never',
          }),
        ),
      ]
    : []),
  ...(ipv4 !== undefined && overlay === 'off' && nodeRange !== undefined
    ? [pool('no-snat-for-node-cidr', { cidr: nodeRange, disabled: true, disableBGPExport: true })]
    : []),
  ...(ipv6 !== undefined
    ? [
        pool(
          'default-ipv6-ippool',
          podPool(122, ipv6.range, {
            natOutgoing: ipv6.natOutgoing,
            ipipMode: 'Never',
            vxlanMode: 'Never',
          }),
        ),
      ]
    : []),
]

const components: readonly CalicoComponent[] = [
  kubeControllers,
  calicoNode,
  typha,
  autoscalers,
  tierGetter,
  multus,
  ipPools,
]

/** The name of a Network's ManagedResource and the prefix of its Secrets. */
export const resourceTraits = {
  name: 'extension-networking-calico-config',
  secretPrefix: 'managedresource-',
} as const

/**
 * Returns all objects of Calico in the shoot (docs/contract/small-kinds.md#managedresource). Sends no request. Throws a
 * `CodedError` if a version of Kubernetes has no image.
 *
 * @param images `imageTable` with the overrides of an operator
 */
export const desiredNetwork = (
  values: CalicoValues,
  images: readonly ImageSource[],
): DesiredManagedResource => {
  const rendering: CalicoRendering = { ...values, image: name => findImage(images, name, values.version) }
  return {
    ...resourceTraits,
    namespace: values.namespace,
    key: 'config.yaml',
    labels: { origin: 'extension-networking-calico' },
    keepObjects: false,
    // Excludes the objects from Gardener's clean-up of a deleted shoot. The ManagedResource deletes them.
    injectLabels: noCleanUpLabels,
    objects: inInstallOrder([
      ...crds({ hasMultus: values.multus.enabled }),
      ...components.flatMap(component => component(rendering)),
    ]),
  }
}

const pool = (name: string, spec: Readonly<Record<string, unknown>>): KubernetesObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'IPPool',
  metadata: { name },
  spec,
})

const podPool = (blockSize: number, cidr: string, spec: Readonly<Record<string, unknown>>) => ({
  allowedUses: ['Workload', 'Tunnel'],
  blockSize,
  cidr,
  nodeSelector: 'all()',
  ...spec,
})
