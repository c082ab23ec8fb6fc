/** An entry of Gardener's image vector (docs/contract/control-plane.md#images). */
export interface ImageSource {
  readonly name: string
  /** The whole reference; counts in place of repository and tag. */
  readonly ref?: string | undefined
  readonly repository?: string | undefined
  /** Absent: `v` and the shoot's version of Kubernetes. `sha256:…` is a digest. */
  readonly tag?: string | undefined
  /** For which versions of the shoot's Kubernetes: `1.33.x`, `>= 1.34`; absent: for all. */
  readonly targetVersion?: string | undefined
  /** Absent: for all. */
  readonly architectures?: readonly string[] | undefined
}

/** The reference that a container names. */
export const referenceOf = (
  { ref, repository = '', tag }: ImageSource,
  kubernetesVersion: string,
): string => {
  if (ref !== undefined) return ref
  const version = tag ?? `v${kubernetesVersion.replace(/^v/, '')}`
  return `${repository}${version.startsWith('sha256:') ? '@' : ':'}${version}`
}
