/** A step that may write to the volume. */
export interface DirectoryStep {
  /** Called right before each write. */
  readonly throwIfExpired: () => void
}
