import type { CapabilityValues } from '../../../contract/machine-capabilities.ts'
import type { Problem } from '../../../decode/problems.ts'

/** A region in which a provider has an image. The id of the image is in a field of the provider. */
interface ConfigRegion {
  readonly name: string
  /** Default: amd64. */
  readonly architecture?: string | undefined
}

/** A version of an image in a provider's CloudProfileConfig. */
export interface ConfigVersion {
  readonly version: string
  readonly regions: readonly ConfigRegion[]
  readonly capabilityFlavors: readonly {
    readonly capabilities?: CapabilityValues | undefined
    readonly regions: readonly ConfigRegion[]
  }[]
}

/** An image in a provider's CloudProfileConfig. */
export interface ConfigImage {
  readonly name: string
  readonly versions: readonly ConfigVersion[]
}

/** The part of a provider's CloudProfileConfig that all providers have alike. */
export interface ImagesConfig {
  readonly machineImages: readonly ConfigImage[]
}

/** A provider's name for its images, in problems. */
export interface ImageWords {
  /** `an AMI` */
  readonly one: string
  /** `AMI` */
  readonly bare: string
  /** `AMIs` */
  readonly several: string
}

/** The CloudProfileConfig `C` of a provider, and its images. */
export interface ProviderImages<C extends ImagesConfig> {
  readonly words: ImageWords
  /** Throws an Error that names the field. */
  readonly decode: (value: unknown) => C
  /** The field of a region with the id of the image: `ami`. */
  readonly idField: string
  /** True if an image may have the same name in every region. Its versions then need no regions. */
  readonly hasNamedImages?: boolean
  /** Returns the problems of the provider's own fields. Paths begin at the config. Default: none. */
  readonly configProblems?: (config: C, kind: 'CloudProfile' | 'NamespacedCloudProfile') => readonly Problem[]
}
