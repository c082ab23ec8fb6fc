/** An entry of Gardener's image vector (docs/contract/control-plane.md#images). */
export interface ImageSource {
  readonly name: string
  /** The complete reference. Overrides repository and tag. */
  readonly ref?: string | undefined
  readonly repository?: string | undefined
  /** Default: `v` and the shoot's Kubernetes version. `sha256:…` is a digest. */
  readonly tag?: string | undefined
  /** Kubernetes versions of the shoot: `1.33.x`, `>= 1.34`. Default: all. */
  readonly targetVersion?: string | undefined
  /** Default: all. */
  readonly architectures?: readonly string[] | undefined
}

/** Returns the image reference for a container. */
export const referenceOf = (
  { ref, repository = '', tag }: ImageSource,
  kubernetesVersion: string,
): string => {
  if (ref !== undefined) return ref
  const version = tag ?? `v${kubernetesVersion.replace(/^v/, '')}`
  return `${repository}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}
