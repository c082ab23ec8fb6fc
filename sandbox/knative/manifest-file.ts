/** A file with one or more YAML documents. */
export interface ManifestFile {
  /** For messages. */
  readonly name: string
  readonly text: string
}
