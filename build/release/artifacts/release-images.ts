import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageFacts, joinLayouts, type Layout, makeImages, openLayout } from '../../images/images.ts'

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
  /** True if the registry of the base has no TLS. */
  readonly plainHttp: boolean
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
export const releaseImages = async ({
  programs,
  bundles,
  work,
  platforms,
  layouts,
  facts,
  plainHttp,
}: ReleaseImagesOptions): Promise<ReleaseImages> => {
  const found: Layout[] = []
  for (const platform of platforms) {
    const [, architecture = ''] = platform.split('/')
    const layout = layouts === undefined ? join(work, architecture) : join(layouts, architecture, 'images')
    if (layouts === undefined) await makeImages({ programs, bundles, layout, platform, facts, plainHttp })
    else await checkLayout(openLayout(layout), programs, facts)
    found.push(openLayout(layout))
  }
  const layout = join(work, 'all')
  await rm(layout, { recursive: true, force: true })
  return { layout, digests: await joinLayouts(layout, found, programs) }
}

/** Refuses images of another version or commit. */
const checkLayout = async (
  layout: Layout,
  programs: readonly string[],
  { version, revision }: ImageFacts,
): Promise<void> => {
  for (const program of programs) {
    const { config = {} } = await layout.readConfiguration(program).catch(cause => {
      throw new Error(`${layout.folder} has no image of ${program}. Build it with make images`, { cause })
    })
    const { Labels = {} } = config
    const built = [Labels['org.opencontainers.image.version'], Labels['org.opencontainers.image.revision']]
    if (built[0] !== version || built[1] !== revision)
      throw new Error(
        `${layout.folder} has ${program} ${built.join(' of commit ')}, expected ${version} of commit ${revision}. Build it again`,
      )
  }
}
