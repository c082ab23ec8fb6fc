/** The fields of a pool that admission and a step check, in the spec of a shoot or of a Worker. */
export interface PoolToCheck {
  readonly zones?: readonly string[] | null | undefined
  readonly volume?: VolumeToCheck | null | undefined
  readonly dataVolumes?: readonly (VolumeToCheck & { readonly name: string })[] | null | undefined
  /** Not decoded. */
  readonly providerConfig?: unknown
  readonly updateStrategy?: string | null | undefined
}

export interface VolumeToCheck {
  readonly type?: string | null | undefined
  readonly size?: string | null | undefined
}
