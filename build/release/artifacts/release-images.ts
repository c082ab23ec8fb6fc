import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageFacts, imageConfig, makeImages, type Regctl } from '../../images/images.ts'

export interface ReleaseImagesOptions {
  readonly programs: readonly string[]
  /** The folder with a subfolder of each program. */
  readonly bundles: string
  /** The folder of the layouts: that of each architecture, and `all`. */
  readonly work: string
  /** `linux/amd64`. */
  readonly platforms: readonly string[]
  /** The folder with layouts `<architecture>/images` that other machines built. */
  readonly layouts: string | undefined
  readonly facts: ImageFacts
}

export interface ReleaseImages {
  /** The folder of the OCI layout with an index of each program, by its name. */
  readonly layout: string
  /** The digests of the indexes, by program. */
  readonly digests: Readonly<Record<string, string>>
}

/**
 * Builds an image of each program for each platform, or takes them from layouts, and an index of both. A platform that
 * this machine does not run gets images without a startup snapshot.
 */
export const releaseImages = async (
  regctl: Regctl,
  { programs, bundles, work, platforms, layouts, facts }: ReleaseImagesOptions,
): Promise<ReleaseImages> => {
  const found: string[] = []
  for (const platform of platforms) {
    const [, architecture = ''] = platform.split('/')
    const layout = layouts === undefined ? join(work, architecture) : join(layouts, architecture, 'images')
    if (layouts === undefined) await makeImages(regctl, { programs, bundles, layout, platform, facts })
    else await checkLayout(regctl, layout, programs, facts)
    found.push(layout)
  }
  const layout = join(work, 'all')
  await rm(layout, { recursive: true, force: true })
  const digests: Record<string, string> = {}
  for (const program of programs) {
    const index = `ocidir://${layout}:${program}`
    await regctl('index', 'create', index, ...found.flatMap(one => ['--ref', `ocidir://${one}:${program}`]))
    digests[program] = await regctl('image', 'digest', index)
  }
  return { layout, digests }
}

/** Refuses images of another version or commit. */
const checkLayout = async (
  regctl: Regctl,
  layout: string,
  programs: readonly string[],
  { version, revision }: ImageFacts,
): Promise<void> => {
  for (const program of programs) {
    const { Labels = {} } = await imageConfig(regctl, `ocidir://${layout}:${program}`).catch(cause => {
      throw new Error(`${layout} has no image of ${program}. Build it with make images`, { cause })
    })
    const built = [Labels['org.opencontainers.image.version'], Labels['org.opencontainers.image.revision']]
    if (built[0] !== version || built[1] !== revision)
      throw new Error(
        `${layout} has ${program} ${built.join(' of commit ')}, expected ${version} of commit ${revision}. Build it again`,
      )
  }
}
