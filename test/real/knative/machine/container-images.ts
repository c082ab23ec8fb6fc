/** The program of an image. Plain data, because tests send it to the machine. */
export interface ContainerImage {
  /**
   * The folder of an unpacked root file system. Containers share it and write to a layer of their own. Default: an
   * almost empty root in which only the program exists. It must be a static binary.
   */
  readonly root?: string
  /** Program and arguments. `command` and `args` of a container override them as in Kubernetes. */
  readonly command: readonly string[]
  /** The part of a container's command that this one replaces: its program, which is elsewhere here, or all of it. */
  readonly replaces?: 'program' | 'command'
  readonly environment?: Readonly<Record<string, string>>
  /** `65532` or `65532:65532`. Default: root. */
  readonly user?: string
  /** Default: `/`. */
  readonly workingDirectory?: string
}

/** Images by the names that Pods use. */
export type ContainerImages = Readonly<Record<string, ContainerImage>>
