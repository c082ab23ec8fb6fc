import type { ImageSource } from '../../../shared/images/images.ts'

/** The image that brings the binaries of gVisor to a node. */
export const installationImage = 'runtime-gvisor-installation'

/** The image of the release that the manifests are taken from; one for all versions of Kubernetes. */
export const imageTable = [
  {
    name: installationImage,
    repository:
      'europe-docker.pkg.dev/gardener-project/releases/gardener/extensions/runtime-gvisor-installation',
    tag: 'v0.44.0',
  },
] as const satisfies readonly ImageSource[]
