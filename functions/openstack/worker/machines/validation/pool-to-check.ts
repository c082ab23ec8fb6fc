/** The checked fields of a pool, in the spec of a shoot or of a Worker. */
export interface OpenStackPoolToCheck {
  readonly zones?: readonly string[] | null | undefined
  readonly volume?:
    | { readonly type?: string | null | undefined; readonly size?: string | null | undefined }
    | null
    | undefined
  readonly dataVolumes?: unknown
  readonly labels?: Readonly<Record<string, string>> | null | undefined
  /** Not decoded. */
  readonly providerConfig?: unknown
  readonly updateStrategy?: string | null | undefined
}
