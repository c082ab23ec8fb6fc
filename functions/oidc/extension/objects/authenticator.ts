import type { V1Deployment } from '@kubernetes/client-node'
import { availabilityLabels, networkLabels, toServiceLabel } from '../../../../build/library/components.ts'
import { kubeconfigMount, kubeconfigPath, kubeconfigVolume } from '../../../../build/library/shoot.ts'
import type { Rendered } from '../../../../build/library/trellis.ts'
import { authenticatorName } from '../api-server/oidc.ts'
import { labels, port } from './labels.ts'
import type { SeedInput } from './seed-input.ts'

const certificateFolder = '/var/run/oidc-webhook-authenticator/tls'

const probe = (path: string, initialDelaySeconds: number, periodSeconds: number) => ({
  httpGet: { path, port, scheme: 'HTTPS' },
  initialDelaySeconds,
  periodSeconds,
})

/** Labels by which NetworkPolicies allow egress of the pods. */
const egressLabels = (apiServer: string) => ({
  ...networkLabels.toDns,
  ...networkLabels.toPublicNetworks,
  ...networkLabels.toPrivateNetworks,
  ...toServiceLabel(apiServer, 443),
  ...toServiceLabel('all-istio-ingresses-istio-ingressgateway', 9443),
})

/** Verifies tokens, and the objects that configure trusted issuers. */
export const authenticator = ({
  namespace,
  replicas,
  image,
  serverSecret,
  genericKubeconfig,
  apiServer,
  priorityClass,
}: SeedInput): Rendered<V1Deployment> => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: authenticatorName, namespace, labels: { ...labels, ...availabilityLabels.server } },
  spec: {
    replicas,
    revisionHistoryLimit: 1,
    selector: { matchLabels: labels },
    // API servers call it, so one replica has to be available at all times.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
    template: {
      metadata: { labels: { ...labels, ...egressLabels(apiServer) } },
      spec: {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: {
                  topologyKey: 'kubernetes.io/hostname',
                  labelSelector: { matchLabels: labels },
                },
              },
            ],
          },
        },
        automountServiceAccountToken: false,
        serviceAccountName: authenticatorName,
        priorityClassName: priorityClass,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            name: authenticatorName,
            image,
            imagePullPolicy: 'IfNotPresent',
            securityContext: { allowPrivilegeEscalation: false },
            args: [
              `--kubeconfig=${kubeconfigPath}`,
              `--tls-cert-file=${certificateFolder}/tls.crt`,
              `--tls-private-key-file=${certificateFolder}/tls.key`,
              '--v=2',
            ],
            readinessProbe: { ...probe('/readyz', 5, 5), failureThreshold: 3 },
            livenessProbe: { ...probe('/livez', 10, 20), failureThreshold: 3 },
            resources: { requests: { cpu: '10m', memory: '32Mi' } },
            volumeMounts: [{ name: 'tls', readOnly: true, mountPath: certificateFolder }, kubeconfigMount()],
          },
        ],
        volumes: [
          { name: 'tls', secret: { secretName: serverSecret } },
          kubeconfigVolume(genericKubeconfig, authenticatorName),
        ],
      },
    },
  },
})
