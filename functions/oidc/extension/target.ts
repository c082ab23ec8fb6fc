import { type CaRotation, caRotationOf, rotationOfCredentials } from '../../../build/library/secrets.ts'
import { genericKubeconfigSecretName, isHibernationEnabled } from '../../../build/library/shoot.ts'
import {
  configurationProblem,
  type Extension,
  type GroupVersionResource,
  type KubernetesObject,
  type StepContext,
} from '../../../build/library/trellis.ts'
import type { apiServers } from './api-server/oidc.ts'

export const gardens: GroupVersionResource = {
  group: 'operator.gardener.cloud',
  version: 'v1alpha1',
  plural: 'gardens',
  namespaced: false,
}

/** The API server with the tokens to check: that of a shoot or of the virtual garden. */
export interface ExtensionTarget {
  readonly class: keyof typeof apiServers
  readonly isSleeping: boolean
  readonly genericKubeconfig: string
  readonly rotation: CaRotation | undefined
  /** The shoot's Kubernetes version, for the choice of images. Empty for a garden. */
  readonly kubernetesVersion: string
}

export const classOf = ({ spec }: KubernetesObject): ExtensionTarget['class'] =>
  Reflect.get(Object(spec), 'class') === 'garden' ? 'garden' : 'shoot'

/** Reads the Cluster of a shoot, or the Garden. Throws if it does not exist. */
export const readTarget = async (step: StepContext<Extension>): Promise<ExtensionTarget> =>
  classOf(step.object) === 'garden' ? readGarden(step) : shootTarget(step)

const shootTarget = ({ object: { metadata }, cluster }: StepContext<Extension>): ExtensionTarget => {
  if (cluster === undefined)
    throw configurationProblem(
      `cannot read the Cluster of ${metadata.namespace}: not found because the namespace does not belong to a shoot`,
    )
  return {
    class: 'shoot',
    isSleeping: isHibernationEnabled(cluster),
    genericKubeconfig: genericKubeconfigSecretName(cluster),
    rotation: caRotationOf(cluster),
    kubernetesVersion: cluster.spec.shoot.spec?.kubernetes?.version ?? '',
  }
}

const kubeconfigAnnotation = 'generic-token-kubeconfig.secret.gardener.cloud/name'

const readGarden = async ({ kubernetes }: StepContext<Extension>): Promise<ExtensionTarget> => {
  const { items } = await kubernetes.list(gardens, { limit: 2 })
  const [garden, ...others] = items
  if (garden === undefined) throw new Error('cannot read the Garden: not found')
  if (others.length > 0) throw new Error('cannot read the Garden: found several')
  const genericKubeconfig = garden.metadata.annotations?.[kubeconfigAnnotation]
  if (!genericKubeconfig)
    throw new Error(
      `cannot read the Garden ${garden.metadata.name}: the annotation ${kubeconfigAnnotation} is missing`,
    )
  return {
    class: 'garden',
    isSleeping: false,
    genericKubeconfig,
    rotation: rotationOfCredentials(Object(garden.status).credentials),
    kubernetesVersion: '',
  }
}
