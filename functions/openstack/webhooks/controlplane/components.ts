import type { Cluster } from '../../../../shared/contract/objects.ts'
import { findImage, type ImageSource } from '../../../../shared/images/images.ts'
import {
  changeCommand,
  changeContainer,
  changePod,
  isSelfHosted,
  machineControllerSidecar,
  type PodTemplate,
  removeFlags,
  setFlag,
  withoutLabels,
  withoutVolumes,
  withSidecar,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../registration.ts'

/** The input of a component's changes. */
interface ComponentInput {
  readonly namespace: string
  /** Reads the Cluster of the namespace. */
  readonly cluster: () => Promise<Cluster>
  readonly images: readonly ImageSource[]
}

/** Returns the change of a pod template. Any reads happen first. */
type ComponentChange = (input: ComponentInput) => Promise<(template: PodTemplate) => PodTemplate>

/** Returns the change for a Deployment by its name, or undefined if it needs none. */
export const componentOf = (deployment: string): ComponentChange | undefined => {
  switch (deployment) {
    case 'kube-apiserver':
    case 'virtual-garden-kube-apiserver':
      return async () => kubeApiserver
    case 'kube-controller-manager':
    case 'virtual-garden-kube-controller-manager':
      return async () => kubeControllerManager
    case 'machine-controller-manager':
      return machineController
    default:
      return undefined
  }
}

/** Leftovers of the in-tree cloud provider. */
const hostVolumes = ['etc-ssl', 'usr-share-ca-certificates']
const networkLabels = ['blocked-cidrs', 'public-networks', 'private-networks'].map(
  network => `networking.gardener.cloud/to-${network}`,
)

const kubeApiserver = (template: PodTemplate): PodTemplate =>
  withCommand(template, 'kube-apiserver', command =>
    removeFlags(command, ['--cloud-provider', '--cloud-config']),
  )

const kubeControllerManager = (template: PodTemplate): PodTemplate => {
  const name = 'kube-controller-manager'
  const external = withCommand(template, name, command =>
    removeFlags(setFlag(command, '--cloud-provider', 'external'), [
      '--cloud-config',
      '--external-cloud-volume-plugin',
    ]),
  )
  return withoutLabels(
    changePod(external, pod => withoutVolumes(pod, name, hostVolumes)),
    networkLabels,
  )
}

const withCommand = (
  template: PodTemplate,
  container: string,
  change: (command: readonly string[]) => readonly string[],
): PodTemplate =>
  changePod(template, pod => changeContainer(pod, container, one => changeCommand(one, change)))

const machineController: ComponentChange = async ({ namespace, cluster: read, images }) => {
  const cluster = await read()
  const version = cluster.spec.shoot.spec?.kubernetes?.version ?? ''
  const sidecar = machineControllerSidecar({
    provider: component,
    image: findImage(images, 'machine-controller-manager-provider-openstack', version),
    namespace,
    isSelfHosted: isSelfHosted(cluster),
  })
  return template => changePod(template, pod => withSidecar(pod, sidecar))
}
