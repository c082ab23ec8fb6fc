import type { V1ConfigMap } from '@kubernetes/client-node'
import type { Rendered } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import type { LocalControlPlaneValues } from './control-plane-values.ts'

export const configName = 'cloud-provider-config'

/** The pod's mount path of the Secret with the kubeconfig of the provider cluster. */
export const credentialsFolder = '/var/run/secrets/gardener.cloud/cloudprovider'

/** The configuration of the cloud controller manager: the place of the machines, and the image of a load balancer. */
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
      ...when(
        hasManagedInfrastructure,
        'runtimeCluster:',
        `  kubeconfig: ${credentialsFolder}/kubeconfig`,
        `  namespace: ${infraNamespace}`,
      ),
      ...(loadBalancerImage === undefined ? [] : ['loadBalancer:', `  image: ${scalar(loadBalancerImage)}`]),
      '',
    ].join('\n'),
  },
})

/** Formats a YAML scalar: the name of an image unquoted, other text quoted, so that it cannot break out. */
const scalar = (text: string): string =>
  /^[a-z0-9]+(?:[._/:@-]+[A-Za-z0-9]+)+$/.test(text) ? text : JSON.stringify(text)
