import {
  changePod,
  hasWorkloadIdentity,
  isSelfHosted,
  machineControllerSidecar,
  readCloudprovider,
  withSidecar,
  withTokenMount,
  withTokenVolume,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { findImage } from '../../controlplane/images/images.ts'
import { component } from '../registration.ts'
import type { ComponentChange } from './component-change.ts'

/**
 * Adds the AWS sidecar to the machine controller. The sidecar authenticates with the Secret or with an additional
 * token.
 */
export const machineController: ComponentChange = async ({ cluster, namespace, lookup, images }) => {
  const secret = await readCloudprovider(lookup, namespace)
  const sidecar = machineControllerSidecar({
    provider: component,
    image: findImage(
      images,
      'machine-controller-manager-provider-aws',
      cluster.spec.shoot.spec?.kubernetes?.version ?? '',
    ),
    namespace,
    isSelfHosted: isSelfHosted(cluster),
  })
  return hasWorkloadIdentity(secret.metadata.labels)
    ? template => changePod(template, pod => withTokenVolume(withSidecar(pod, withTokenMount(sidecar))))
    : template => changePod(template, pod => withSidecar(pod, sidecar))
}
