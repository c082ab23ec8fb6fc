import type { ControlPlaneProvider, UsableSecrets } from '../../../shared/control-plane/control-plane.ts'
import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { calicoCleanUp, cleanUpAnnotation } from './calico/calico-clean-up.ts'
import { cleanUpNodes } from './calico/clean-up-nodes.ts'
import { configurationResource, desiredControlPlane } from './desired-control-plane.ts'
import type { ImageSource } from './images/images.ts'
import { controlPlaneValues } from './input/control-plane-values.ts'
import { loadBalancerCondition, noLoadBalancersType } from './load-balancer-condition.ts'
import type { GeneratedNames } from './objects/rendering.ts'
import { secretConfigNames, secretConfigs, secretsIdentity, shootAccessNames } from './secrets.ts'

/**
 * The control plane of AWS, with these images. `shootWebhooks`: the object with their configuration; absent: no
 * webhooks.
 */
export const awsControlPlane = (
  images: readonly ImageSource[],
  shootWebhooks?: ObjectKey,
): ControlPlaneProvider => ({
  secretsIdentity,
  ...(shootWebhooks && { shootWebhooks }),
  secrets: namespace => {
    const { authorities, certificates } = secretConfigs(namespace)
    return [...authorities, ...certificates]
  },
  shootAccess: shootAccessNames,
  desired: input => {
    const values = controlPlaneValues(input)
    const configuration = configurationResource(values)
    return {
      prerequisites: [configuration],
      resources: ({ secrets, cloudproviderData, replicas }) =>
        desiredControlPlane({
          values,
          images,
          generated: generatedNames(secrets),
          cloudproviderData,
          replicas,
        }).filter(({ name }) => name !== configuration.name),
      conditions: { [noLoadBalancersType]: loadBalancerCondition(values) },
      shootCleanUp: {
        annotation: cleanUpAnnotation,
        due: calicoCleanUp(input.controlPlane, input.cluster, values.networking),
        run: cleanUpNodes,
      },
    }
  },
})

const generatedNames = ({ current, bundle }: UsableSecrets): GeneratedNames => {
  const { authority, cloudControllerServer, loadBalancerWebhookServer } = secretConfigNames
  return {
    cloudControllerServer: current(cloudControllerServer).name,
    loadBalancerWebhookServer: current(loadBalancerWebhookServer).name,
    caBundle: Buffer.from(bundle(authority).data['bundle.crt'] ?? '', 'base64').toString(),
  }
}
