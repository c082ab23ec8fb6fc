import type { ImageSource } from '../../../shared/images/images.ts'

/** The image that installs the binaries of gVisor on a node. */
export const installationImage = 'runtime-gvisor-installation'

/** The image of the release from which the manifests were taken. The same for all versions of Kubernetes. */
export const imageTable = [
  {
    name: installationImage,
    repository:
      'europe-docker.pkg.dev/gardener-project/releases/gardener/extensions/runtime-gvisor-installation',
    tag: 'v0.44.0',
  },
] as const satisfies readonly ImageSource[]
