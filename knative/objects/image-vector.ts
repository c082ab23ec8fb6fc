import { createHash } from 'node:crypto'
import type { V1ConfigMap, V1Volume, V1VolumeMount } from '@kubernetes/client-node'
import type { Json, Rendered } from '../../shared/kubernetes/kubernetes.ts'
import type { Deployment, EnvironmentVariable } from '../deployment.ts'
import { type Explained, explained } from './explained.ts'

const folder = '/etc/trellis/image-vector'
const file = 'images_overwrite.yaml'

/** Returns true for a function or webhook that chooses images. */
export const choosesImages = ({ settings }: { readonly settings: { readonly shape: object } }): boolean =>
  'imagevectorOverwrite' in settings.shape

/** The parts of a pod that mount the operator's image vector. */
export interface MountedImageVector {
  readonly variable: EnvironmentVariable
  readonly volume: Json<V1Volume>
  readonly mount: Json<V1VolumeMount>
}

/** Returns the parts of the pod of these functions or webhooks. Undefined if none chooses images, or no vector is given. */
export const imageVectorFor = (
  { imageVector }: Pick<Deployment, 'imageVector'>,
  definitions: readonly Parameters<typeof choosesImages>[0][],
): MountedImageVector | undefined => {
  if (imageVector === undefined || !definitions.some(choosesImages)) return undefined
  const name = 'image-vector'
  return {
    variable: { name: 'TRELLIS_IMAGEVECTOR_OVERWRITE', value: `${folder}/${file}` },
    volume: { name, configMap: { name: nameOf(imageVector) } },
    mount: { name, mountPath: folder, readOnly: true },
  }
}

/** Its name has a hash of its content: a change is a change of the pod, for which Knative starts a new revision. */
export const imageVectorObjects = ({ namespace, imageVector }: Deployment): readonly Explained[] => {
  if (imageVector === undefined) return []
  const object: Rendered<V1ConfigMap> = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: nameOf(imageVector), namespace },
    immutable: true,
    data: { [file]: imageVector },
  }
  return [explained(object, 'Images that override the defaults.')]
}

const nameOf = (text: string): string =>
  `image-vector-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
