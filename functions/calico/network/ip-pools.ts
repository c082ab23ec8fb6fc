import type { KubernetesObject } from '../../../build/library/trellis.ts'
import type { CalicoComponent } from './rendering.ts'

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

/** Pod ranges. If the overlay is unset, Calico creates the IPv4 pool itself. */
export const ipPools: CalicoComponent = ({ ipv4, ipv6, overlay, hasVxlanOverlay, nodeRange }) => [
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
