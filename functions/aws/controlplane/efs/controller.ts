import type { V1Deployment } from '@kubernetes/client-node'
import { driverProbe, driverSocket, memory } from '../../../../shared/control-plane/components/components.ts'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { availabilityLabels, networkLabels, systemNamespace } from '../../../../shared/manifests/manifests.ts'
import { hasIpv6Alone } from '../input/control-plane-values.ts'
import type { Rendering } from '../objects/workload.ts'
import { efsControllerAccount, efsControllerName } from './names.ts'

const role = 'driver-efs-controller'
const labels = { 'app.kubernetes.io/name': efsControllerName, app: 'csi-efs', role }
const socketMount = { ...driverSocket.mount, mountPath: `${driverSocket.folder}/` }
const healthPort = 9909

/**
 * Creates access points in a file system. It runs in the shoot with the AWS role of its node, so it has neither
 * credentials nor a checksum of them.
 */
export const efsController = ({ image, networking }: Rendering): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: efsControllerName,
    namespace: systemNamespace,
    labels: { ...labels, ...availabilityLabels.controller },
  },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
    template: {
      metadata: {
        labels: {
          ...labels,
          'gardener.cloud/role': role,
          ...networkLabels.toDns,
          ...networkLabels.toPublicNetworks,
          ...networkLabels.toPrivateNetworks,
          ...networkLabels.toShootApiServer,
        },
      },
      spec: {
        automountServiceAccountToken: true,
        hostNetwork: false,
        serviceAccountName: efsControllerAccount,
        tolerations: [
          { key: 'CriticalAddonsOnly', operator: 'Exists' },
          { key: 'efs.csi.aws.com/agent-not-ready', operator: 'Exists' },
        ],
        securityContext: { fsGroup: 0, runAsGroup: 0, runAsNonRoot: false, runAsUser: 0 },
        dnsPolicy: 'ClusterFirst',
        containers: [
          {
            name: 'aws-csi-driver-efs',
            image: image('csi-driver-efs'),
            args: [
              '--endpoint=$(CSI_ENDPOINT)',
              '--logtostderr',
              '--v=5',
              '--delete-access-point-root-dir=false',
            ],
            env: [
              {
                name: 'AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE',
                value: hasIpv6Alone(networking) ? 'ipv6' : 'ipv4',
              },
              { name: 'CSI_ENDPOINT', value: `unix://${driverSocket.folder}/csi.sock` },
              { name: 'CSI_NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            ],
            volumeMounts: [socketMount],
            ports: [{ name: 'healthz', containerPort: healthPort, protocol: 'TCP' }],
            livenessProbe: driverProbe,
            resources: memory('50Mi', '360Mi'),
          },
          {
            name: 'aws-csi-provisioner',
            image: image('csi-provisioner'),
            args: [
              '--csi-address=$(ADDRESS)',
              '--v=5',
              '--feature-gates=Topology=true',
              '--extra-create-metadata',
              '--leader-election',
              '--leader-election-renew-deadline=10s',
              '--leader-election-lease-duration=15s',
            ],
            env: [{ name: 'ADDRESS', value: `${driverSocket.folder}/csi.sock` }],
            volumeMounts: [socketMount],
            resources: memory('38Mi', '400Mi'),
          },
          {
            name: 'liveness-probe',
            image: image('csi-liveness-probe'),
            args: ['--csi-address=/csi/csi.sock', `--health-port=${healthPort}`],
            volumeMounts: [{ name: socketMount.name, mountPath: '/csi' }],
            resources: memory('32Mi', '200Mi'),
          },
        ],
        volumes: [{ name: socketMount.name, emptyDir: {} }],
      },
    },
  },
})
