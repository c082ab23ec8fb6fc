import {
  type Container,
  driverController,
  driverProbe,
  driverSocket,
  memory,
  metricsService,
  portAnnotation,
  serviceMonitor,
  sidecarContainer,
  sidecarKubeconfigs,
  verticalPodAutoscaler,
} from '../../../../shared/control-plane/components/components.ts'
import { podDisruptionBudget } from '../../../../shared/manifests/manifests.ts'
import { credentialsByFile } from '../objects/volumes.ts'
import { type Component, credentialsChecksum, type Rendering, readOnlyContext } from '../objects/workload.ts'
import { sidecars } from './sidecars.ts'

const name = 'csi-driver-controller'
const labels = { app: 'csi', role: 'controller' }
const metricsPort = 3301

/** Creates, attaches, resizes and snapshots EBS volumes. */
export const csiDriverController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, name, labels),
    metricsService(rendering.namespace, name, {
      selector: labels,
      port: metricsPort,
      metadata: {
        labels,
        annotations: {
          ...portAnnotation('from-all-scrape-targets-allowed-ports', metricsPort),
          ...portAnnotation('from-world-to-ports', metricsPort),
        },
      },
    }),
    driverController({
      namespace: rendering.namespace,
      name,
      labels,
      replicas: rendering.replicas,
      annotations: credentialsChecksum(rendering),
      containers: [
        driverContainer(rendering),
        ...sidecars(rendering).map(sidecar =>
          sidecarContainer('aws', sidecar, { image: rendering.image, securityContext: readOnlyContext }),
        ),
        livenessProbe(rendering),
      ],
      volumes: [
        { name: driverSocket.mount.name, emptyDir: {} },
        credentialsByFile(rendering.hasWorkloadIdentity).volume,
        ...sidecarKubeconfigs(rendering.genericKubeconfig, accesses),
      ],
    }),
    serviceMonitor(rendering.namespace, name, {
      labels,
      keep: '^(aws_ebs_csi_api_request_duration_seconds_(bucket|sum|count)|aws_ebs_csi_api_request_errors_total|aws_ebs_csi_api_request_throttles_total|aws_ebs_csi_ec2_detach_pending_seconds(_total)?)$',
    }),
    verticalPodAutoscaler(rendering.namespace, name, autoscaled),
  ],
}

/** In the order of Gardener's extension. */
const autoscaled = [
  'driver',
  'provisioner',
  'attacher',
  'snapshotter',
  'resizer',
  'liveness-probe',
  'volume-modifier',
].map(container => `aws-csi-${container}`)

/** In the order of the volumes. */
const accesses = ['attacher', 'provisioner', 'snapshotter', 'resizer', 'volume-modifier'].map(
  access => `csi-${access}`,
)

const driverContainer = ({ namespace, region, image, hasWorkloadIdentity }: Rendering): Container => {
  const credentials = credentialsByFile(hasWorkloadIdentity)
  return {
    name: 'aws-csi-driver',
    image: image('csi-driver'),
    imagePullPolicy: 'IfNotPresent',
    args: [
      'controller',
      '--endpoint=$(CSI_ENDPOINT)',
      `--k8s-tag-cluster-id=${namespace}`,
      '--logtostderr',
      '--v=5',
      '--batching=true',
      `--http-endpoint=0.0.0.0:${metricsPort}`,
    ],
    env: [
      { name: 'CSI_ENDPOINT', value: `unix://${driverSocket.folder}/csi.sock` },
      ...credentials.env,
      { name: 'AWS_REGION', value: region },
    ],
    resources: memory('50Mi'),
    securityContext: readOnlyContext,
    ports: [
      { name: 'healthz', containerPort: 9808, protocol: 'TCP' },
      { name: 'metrics', containerPort: metricsPort, protocol: 'TCP' },
    ],
    livenessProbe: driverProbe,
    volumeMounts: [credentials.mount, driverSocket.mount],
  }
}

const livenessProbe = ({ image }: Rendering): Container => ({
  name: 'aws-csi-liveness-probe',
  image: image('csi-liveness-probe'),
  args: ['--csi-address=/csi/csi.sock'],
  resources: memory('32Mi'),
  securityContext: readOnlyContext,
  volumeMounts: [{ name: driverSocket.mount.name, mountPath: '/csi' }],
})
