import type { V1Container, V1PodSpec, V1PodStatus } from '@kubernetes/client-node'
import type { GroupVersionResource, ObjectMeta } from '../../../../../shared/kubernetes/kubernetes.ts'
import type { ContainerImage } from '../container-images.ts'

/** A stored Pod. The API server has validated and defaulted it. */
export interface Pod {
  readonly metadata: ObjectMeta & {
    readonly namespace: string
    readonly uid: string
    readonly deletionGracePeriodSeconds?: number
  }
  readonly spec: V1PodSpec
  readonly status?: V1PodStatus
}

/** The addresses of a running Pod and of its node. */
export interface PodAddresses {
  readonly pod: string
  readonly node: string
}

/** A resource of the core group. */
export const coreResource = (plural: string, namespaced = true): GroupVersionResource => ({
  group: '',
  version: 'v1',
  plural,
  namespaced,
})

/** Returns the command line of a container: `command` and `args` override the image's, unless it replaces them. */
export const commandOf = (
  { command, args = [] }: Pick<V1Container, 'command' | 'args'>,
  image: Pick<ContainerImage, 'command' | 'replaces'>,
): readonly string[] => {
  if (command === undefined || image.replaces === 'command') return [...image.command, ...args]
  return [...(image.replaces === 'program' ? [...image.command, ...command.slice(1)] : command), ...args]
}
