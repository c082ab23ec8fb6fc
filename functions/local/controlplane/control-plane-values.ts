import {
  genericKubeconfigSecretName,
  hasManagedInfrastructure,
} from '../../../shared/contract/cluster-facts.ts'
import type { ControlPlaneFacts } from '../../../shared/control-plane/control-plane.ts'
import { infraNamespaceOf, readCloudProfileConfig } from '../provider/local.ts'

/** What the objects of a control plane follow from. */
export interface LocalControlPlaneValues {
  /** The shoot's in the seed. */
  readonly namespace: string
  /** In the provider cluster, where its machines are. */
  readonly infraNamespace: string
  /** Of what stands for a load balancer; undefined: the CloudProfile names none. */
  readonly loadBalancerImage: string | undefined
  /** The shoot has credentials, so its machines are Gardener's; otherwise somebody else's. */
  readonly hasManagedInfrastructure: boolean
  /** Name of the Secret with the kubeconfig that all components share. */
  readonly genericKubeconfig: string
}

/** Reads all that a control plane is made by. Throws a `CodedError` for what cannot be read. */
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
