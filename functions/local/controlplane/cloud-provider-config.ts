import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import type { LocalControlPlaneValues } from './control-plane-values.ts'

export const configName = 'cloud-provider-config'

/** Where the pod has the Secret that leads to the provider cluster. */
export const credentialsFolder = '/var/run/secrets/gardener.cloud/cloudprovider'

/** What the cloud controller manager reads: where machines are, and what stands for a load balancer. */
export const cloudProviderConfig = ({
  namespace,
  infraNamespace,
  loadBalancerImage,
  hasManagedInfrastructure,
}: LocalControlPlaneValues): Rendered<V1ConfigMap> => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: configName, namespace },
  data: {
    'config.yaml': [
      'apiVersion: local.provider.gardener.cloud/v1alpha1',
      'kind: CloudProviderConfig',
      ...(hasManagedInfrastructure
        ? [
            'runtimeCluster:',
            `  kubeconfig: ${credentialsFolder}/kubeconfig`,
            `  namespace: ${infraNamespace}`,
          ]
        : []),
      ...(loadBalancerImage === undefined ? [] : ['loadBalancer:', `  image: ${scalar(loadBalancerImage)}`]),
      '',
    ].join('\n'),
  },
})

/** Of YAML: as it is where it is the name of an image, else in quotes, out of which nothing breaks. */
const scalar = (text: string): string =>
  /^[a-z0-9]+(?:[._/:@-]+[A-Za-z0-9]+)+$/.test(text) ? text : JSON.stringify(text)
