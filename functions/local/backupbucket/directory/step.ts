export interface DirectoryStep {
  /** Called right before each write. */
  readonly throwIfExpired: () => void
}
