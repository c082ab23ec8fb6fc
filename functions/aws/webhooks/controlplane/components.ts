import { CodedError } from '../../../../shared/contract/errors.ts'
import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import { findImage, type ImageSource } from '../../../../shared/images/images.ts'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { Lookup } from '../../../../shared/webhooks/admission/admission.ts'
import {
  changeCommand,
  changeContainer,
  changePod,
  hasWorkloadIdentity,
  isSelfHosted,
  machineControllerSidecar,
  type PodTemplate,
  type ReviewedContainer,
  readCloudprovider,
  removeFlags,
  setFlag,
  setLastFlag,
  setListedFlag,
  withoutAnnotations,
  withoutEnvironment,
  withoutLabels,
  withoutVolumes,
  withSidecar,
  withTokenMount,
  withTokenVolume,
} from '../../../../shared/webhooks/components/webhooks.ts'
import { asksForAttributesClass } from '../../../../terraform-free-infra/aws/account/config/config.ts'
import { component } from '../registration.ts'

/** Returns the change for a Deployment by its name, or undefined if it needs none. */
export const componentOf = (deployment: string): ComponentChange | undefined => {
  switch (deployment) {
    case 'kube-apiserver':
    case 'virtual-garden-kube-apiserver':
      return kubeApiserver
    case 'kube-controller-manager':
    case 'virtual-garden-kube-controller-manager':
      return kubeControllerManager
    case 'kube-scheduler':
    case 'cluster-autoscaler':
      return gatesOf(deployment)
    case 'machine-controller-manager':
      return machineController
    default:
      return undefined
  }
}

/** Leftovers of the in-tree cloud provider. They must not prevent pods from starting. */
const credentialVariables = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
const checksums = ['checksum/secret-cloudprovider', 'checksum/configmap-cloud-provider-config']
const hostVolumes = ['etc-ssl', 'usr-share-cacerts']
const networkLabels = ['blocked-cidrs', 'public-networks', 'private-networks'].map(
  network => `networking.gardener.cloud/to-${network}`,
)

const kubeApiserver: ComponentChange = ({ cluster }) => {
  const hasGate = needsAttributesGate(cluster)
  const changed = (container: ReviewedContainer): ReviewedContainer =>
    withoutEnvironment(
      changeCommand(container, command => {
        const bare = removeFlags(command, ['--cloud-provider', '--cloud-config'])
        return hasGate
          ? setListedFlag(withAttributesGate(bare), '--runtime-config', 'storage.k8s.io/v1beta1', 'true')
          : bare
      }),
      credentialVariables,
    )
  return template =>
    withoutAnnotations(
      changePod(template, pod => changeContainer(pod, 'kube-apiserver', changed)),
      checksums,
    )
}

const kubeControllerManager: ComponentChange = ({ cluster }) => {
  const name = 'kube-controller-manager'
  const hasGate = needsAttributesGate(cluster)
  const allocates = String(allocatesNodeRanges(cluster))
  const changed = (container: ReviewedContainer): ReviewedContainer =>
    withoutEnvironment(
      changeCommand(container, command => {
        const external = setFlag(command, '--cloud-provider', 'external')
        const bare = removeFlags(external, ['--cloud-config', '--external-cloud-volume-plugin'])
        return setLastFlag(hasGate ? withAttributesGate(bare) : bare, '--allocate-node-cidrs', allocates)
      }),
      credentialVariables,
    )
  return template =>
    withoutLabels(
      withoutAnnotations(
        changePod(template, pod => withoutVolumes(changeContainer(pod, name, changed), name, hostVolumes)),
        checksums,
      ),
      networkLabels,
    )
}

/** Returns the change for a component that only needs a feature gate. */
const gatesOf =
  (name: string): ComponentChange =>
  ({ cluster }) =>
    needsAttributesGate(cluster)
      ? template =>
          changePod(template, pod =>
            changeContainer(pod, name, container => changeCommand(container, withAttributesGate)),
          )
      : template => template

const withAttributesGate = (command: readonly string[]): readonly string[] =>
  setListedFlag(command, '--feature-gates', 'VolumeAttributesClass', 'true')

/** The input of a component's changes. */
interface ComponentInput {
  readonly cluster: Cluster
  readonly namespace: string
  readonly lookup: Lookup
  readonly images: readonly ImageSource[]
}

/** Changes the pod template of a component. Any reads happen first. */
type ComponentChange = (
  input: ComponentInput,
) => ((template: PodTemplate) => PodTemplate) | Promise<(template: PodTemplate) => PodTemplate>

/**
 * Adds the AWS sidecar to the machine controller. The sidecar authenticates with the Secret or with an additional
 * token.
 */
const machineController: ComponentChange = async ({ cluster, namespace, lookup, images }) => {
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

/** Returns true if mutable volume attributes are enabled and need a feature gate, as before Kubernetes 1.34. */
const needsAttributesGate = ({ spec: { shoot } }: Cluster): boolean => {
  const { major, minor } = versionOf(shoot.spec?.kubernetes?.version ?? '')
  return asksForAttributesClass(shoot.metadata?.annotations) && (major < 1 || (major === 1 && minor < 34))
}

/** Returns true if Kubernetes allocates the pod ranges of nodes. With IPv6 they come from the VPC. */
const allocatesNodeRanges = ({ spec: { shoot } }: Cluster): boolean =>
  !(shoot.spec?.networking?.ipFamilies ?? []).includes('IPv6') &&
  !(shoot.status?.networking?.nodes ?? []).some(range => range.includes(':'))

const versionOf = (version: string): ReturnType<typeof minorVersionOf> => {
  try {
    return minorVersionOf(version)
  } catch (error) {
    throw new CodedError(messageOf(error), { codes: [], cause: error })
  }
}
