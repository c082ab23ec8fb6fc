import type { V1Deployment } from '@kubernetes/client-node'
import type { Rendered } from '../../../../shared/kubernetes/kubernetes.ts'
import { credentialsByEnvironment } from '../objects/credentials.ts'
import {
  availabilityLabels,
  checksumAnnotations,
  controlPlaneLabels,
  maintenanceLabels,
  networkLabels,
} from '../objects/names.ts'
import { credentialsChecksum, type Rendering } from '../objects/rendering.ts'
import { kubeconfigMount, kubeconfigVolume } from '../objects/volumes.ts'
import { memory } from '../objects/workload.ts'
import { cloudProviderConfigName } from './cloud-provider-config.ts'
import { cloudControllerCommand, configFolder, serverFolder } from './command.ts'
import { cloudControllerLabels, cloudControllerName, metricsPort } from './names.ts'

const serverVolume = 'cloud-controller-manager-server'

export const cloudControllerDeployment = (rendering: Rendering): Rendered<V1Deployment> => {
  const { namespace, region, replicas, image, generated, checksums, genericKubeconfig } = rendering
  const credentials = credentialsByEnvironment(rendering.hasWorkloadIdentity)
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: cloudControllerName,
      namespace,
      labels: { ...cloudControllerLabels, ...availabilityLabels },
    },
    spec: {
      revisionHistoryLimit: 1,
      replicas,
      selector: { matchLabels: cloudControllerLabels },
      template: {
        metadata: {
          annotations: {
            [checksumAnnotations.cloudProviderConfig]: checksums.cloudProviderConfig,
            ...credentialsChecksum(rendering),
          },
          labels: {
            ...controlPlaneLabels,
            ...cloudControllerLabels,
            ...networkLabels.toDns,
            ...networkLabels.toPublicNetworks,
            ...networkLabels.toShootApiServer,
            ...maintenanceLabels,
          },
        },
        spec: {
          automountServiceAccountToken: false,
          priorityClassName: 'gardener-system-300',
          containers: [
            {
              name: `aws-${cloudControllerName}`,
              image: image('cloud-controller-manager'),
              imagePullPolicy: 'IfNotPresent',
              command: cloudControllerCommand(rendering),
              env: [...credentials.env, { name: 'AWS_REGION', value: region }],
              securityContext: { allowPrivilegeEscalation: false },
              livenessProbe: {
                httpGet: { path: '/healthz', scheme: 'HTTPS', port: metricsPort },
                successThreshold: 1,
                failureThreshold: 2,
                initialDelaySeconds: 15,
                periodSeconds: 10,
                timeoutSeconds: 15,
              },
              ports: [{ containerPort: metricsPort, name: 'metrics', protocol: 'TCP' }],
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
              resources: memory('100Mi'),
              volumeMounts: [
                kubeconfigMount(),
                { name: serverVolume, mountPath: serverFolder },
                credentials.mount,
                { name: cloudProviderConfigName, mountPath: configFolder },
              ],
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          terminationGracePeriodSeconds: 30,
          volumes: [
            kubeconfigVolume(genericKubeconfig, cloudControllerName),
            { name: serverVolume, secret: { secretName: generated.cloudControllerServer } },
            credentials.volume,
            { name: cloudProviderConfigName, configMap: { name: cloudProviderConfigName } },
          ],
        },
      },
    },
  }
}
