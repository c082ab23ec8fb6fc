import {
  architecture,
  areCompatible,
  areEqual,
  type CapabilityDefinition,
  type CapabilityValues,
  defaultArchitecture,
  definitionsOf,
  hasCapabilities,
  type ProfileCapabilities,
  preferredOf,
  printed,
} from '../contract/machine-capabilities.ts'

/** An image of the cloud in one region. */
export interface CapableImage {
  readonly capabilities: CapabilityValues
}

/** The image of a pool, or one in use by a Worker. */
export interface NamedImage<I extends CapableImage> {
  readonly name: string
  readonly version: string
  readonly image: I
}

/** The image that a pool asks for. */
export interface WantedImage {
  readonly name: string
  readonly version: string
  readonly region: string
  readonly machine: CapabilityValues
  /** The pool's architecture. Default: amd64. */
  readonly architecture: string
}

export interface ImageChoice<I extends CapableImage> {
  readonly profile: ProfileCapabilities
  readonly wanted: WantedImage
  /** The images that the CloudProfile has for name, version and region. */
  readonly offered: readonly I[]
  /** Why there are none, for users. */
  readonly whyNone: () => string
  /** The name of an image for users. */
  readonly shownAs: (image: I) => string
  /** The images of `status.providerStatus`. Called only if the CloudProfile has none; undefined: there is no status. */
  readonly inUse: () => readonly NamedImage<I>[] | undefined
}

/** An image, or the user's error message if there is none: the Go extensions' text, then the reason. */
export type ChosenImage<I extends CapableImage> =
  | { readonly ok: true; readonly image: I }
  | { readonly ok: false; readonly message: string }

/**
 * Returns the image of a pool: the preferred one of the CloudProfile, or the one that the Worker already uses if the
 * CloudProfile no longer has it.
 */
export const chooseImage = <I extends CapableImage>({
  profile,
  wanted,
  offered,
  whyNone,
  shownAs,
  inUse,
}: ImageChoice<I>): ChosenImage<I> => {
  const definitions = definitionsOf(profile)
  const fits = ({ capabilities }: I) => areCompatible(definitions, wanted.machine, capabilities)
  const best = preferredOf(definitions, offered.filter(fits))
  const [only] = best
  if (only !== undefined && best.length === 1) return { ok: true, image: only }
  const used = inUse()
  const suits = hasCapabilities(profile) ? fits : (image: I) => architectureOf(image) === wanted.architecture
  const kept = used?.find(
    ({ name, version, image }) => name === wanted.name && version === wanted.version && suits(image),
  )
  if (kept !== undefined) return { ok: true, image: kept.image }
  const why =
    best.length > 1
      ? `${best.map(shownAs).join(' and ')} of the cloud profile match equally well`
      : offered.length === 0
        ? whyNone()
        : `the cloud profile has ${offered.map(image => `${shownAs(image)} with ${printed(image.capabilities)}`).join(', ')}, but the machine has ${printed(wanted.machine)}`
  return { ok: false, message: `${said(profile, used !== undefined, wanted)}: ${why}` }
}

/** The Go extensions' text. */
const said = (
  profile: ProfileCapabilities,
  hasStatus: boolean,
  { name, version, architecture: own, region, machine }: WantedImage,
): string => {
  if (!hasStatus)
    return `could not find machine image for ${name}/${version}/${own}/${region} neither in cloud profile nor in worker status`
  const what = hasCapabilities(profile)
    ? `capabilities ${printed(machine)}`
    : `architecture ${JSON.stringify(own)}`
  return `no machine image found for image ${JSON.stringify(name)} with version ${JSON.stringify(version)} and ${what}`
}

/** Returns the architecture of an image; the first of several. */
const architectureOf = ({ capabilities }: CapableImage): string =>
  capabilities[architecture]?.[0] ?? defaultArchitecture

/** Returns the versions of images with exactly this name and version, from all matching entries. */
export const matchingVersions = <V extends { readonly version?: string | undefined }>(
  images:
    | readonly { readonly name?: string | undefined; readonly versions?: readonly V[] | null | undefined }[]
    | null
    | undefined,
  { name, version }: Pick<WantedImage, 'name' | 'version'>,
): readonly V[] =>
  (images ?? [])
    .filter(image => image.name === name)
    .flatMap(({ versions }) => (versions ?? []).filter(known => known.version === version))

/**
 * Returns `machineImages` of `status.providerStatus`: each image in use once, in the order of the pools, with its
 * architecture, or with its capabilities if the CloudProfile defines any. Images of a name and version differ by these.
 *
 * @param definitions the capabilities of the CloudProfile; undefined if it has none
 * @param shown the other fields of an image: `{ ami }`
 */
export const statusImagesOf = <I extends CapableImage>(
  images: readonly NamedImage<I>[],
  definitions: readonly CapabilityDefinition[] | undefined,
  shown: (image: I) => object,
): readonly object[] => {
  const isSame = (one: NamedImage<I>, other: NamedImage<I>): boolean =>
    one.name === other.name &&
    one.version === other.version &&
    (definitions === undefined
      ? architectureOf(one.image) === architectureOf(other.image)
      : areEqual(definitions, one.image.capabilities, other.image.capabilities))
  return images
    .filter((image, index) => images.findIndex(other => isSame(other, image)) === index)
    .map(({ name, version, image }) => ({
      ...{ name, version, ...shown(image) },
      ...(definitions === undefined
        ? { architecture: architectureOf(image) }
        : { capabilities: image.capabilities }),
    }))
}
