import {
  genericKubeconfigSecretName,
  hasManagedInfrastructure,
} from '../../../shared/contract/cluster-facts.ts'
import type { ControlPlaneFacts } from '../../../shared/control-plane/control-plane.ts'
import { infraNamespaceOf, readCloudProfileConfig } from '../provider/local.ts'

/** The values from which the objects of a control plane are derived. */
export interface LocalControlPlaneValues {
  /** The shoot's namespace in the seed. */
  readonly namespace: string
  /** The namespace of its machines in the provider cluster. */
  readonly infraNamespace: string
  /** The image of a load balancer container. Undefined if the CloudProfile names none. */
  readonly loadBalancerImage: string | undefined
  /** True if the shoot has credentials, so that Gardener manages its machines. */
  readonly hasManagedInfrastructure: boolean
  /** Name of the Secret with the kubeconfig shared by all components. */
  readonly genericKubeconfig: string
}

/** Reads all inputs of a control plane. Throws a `CodedError` if one is invalid. */
export const controlPlaneValues = ({
  controlPlane,
  cluster,
}: Pick<ControlPlaneFacts, 'controlPlane' | 'cluster'>): LocalControlPlaneValues => {
  const { cloudProfile } = cluster.spec
  return {
    namespace: controlPlane.metadata.namespace ?? '',
    infraNamespace: infraNamespaceOf(cluster),
    loadBalancerImage:
      readCloudProfileConfig(cloudProfile.spec?.providerConfig).loadBalancer?.image || undefined,
    hasManagedInfrastructure: hasManagedInfrastructure(cluster),
    genericKubeconfig: genericKubeconfigSecretName(cluster),
  }
}
