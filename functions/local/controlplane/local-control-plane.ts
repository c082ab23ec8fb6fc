import { type ControlPlaneProvider, managedResource } from '../../../shared/control-plane/control-plane.ts'
import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { cloudController, cloudControllerName } from './cloud-controller.ts'
import { cloudControllerRoles } from './cloud-controller-roles.ts'
import { cloudProviderConfig } from './cloud-provider-config.ts'
import { controlPlaneValues } from './control-plane-values.ts'
import { localPathProvisioner, storageClass } from './local-path-provisioner.ts'
import { cloudControllerServer, secretConfigs, secretsIdentity } from './secrets.ts'

export interface LocalControlPlaneOptions {
  /** The image of the cloud controller manager. */
  readonly image: string
  /** The object with the configuration of webhooks for shoots. Absent: no webhooks. */
  readonly shootWebhooks?: ObjectKey
}

/** The control planes of the provider `local` (docs/contract/provider-local.md#controlplane). */
export const localControlPlane = ({
  image,
  shootWebhooks,
}: LocalControlPlaneOptions): ControlPlaneProvider => ({
  secretsIdentity,
  ...(shootWebhooks && { shootWebhooks }),
  secrets: secretConfigs,
  shootAccess: [cloudControllerName],
  desired: input => {
    const values = controlPlaneValues(input)
    const { namespace } = values
    const config = cloudProviderConfig(values)
    return {
      prerequisites: [managedResource(namespace, 'extension-controlplane-configuration-seed', [config])],
      resources: ({ secrets, replicas }) => [
        managedResource(
          namespace,
          'extension-controlplane-seed',
          cloudController({
            ...values,
            image,
            replicas,
            serverSecret: secrets.current(cloudControllerServer).name,
            configData: config.data ?? {},
          }),
        ),
        managedResource(namespace, 'extension-controlplane-shoot', [
          ...localPathProvisioner,
          ...cloudControllerRoles,
        ]),
        managedResource(namespace, 'extension-controlplane-storageclasses', [storageClass]),
      ],
    }
  },
})
