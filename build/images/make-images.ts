import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../shared/text/message-of.ts'
import { copyBase } from './layout/copy-base.ts'
import { type ImageFacts, makeImage } from './layout/make-image.ts'
import { nodeOfBase } from './layout/node-of-base.ts'
import { openLayout } from './layout/open-layout.ts'
import { unpackImage } from './layout/unpack-image.ts'

export interface MakeImagesOptions {
  readonly programs: readonly string[]
  /** The folder with a subfolder of each program: `dist/bundles`. */
  readonly bundles: string
  /** The folder of the OCI layout with an image of each program, by its name. It is recreated. */
  readonly layout: string
  /** `os/architecture`. */
  readonly platform: string
  readonly facts: ImageFacts
  /** Called if Node cannot write the startup snapshot of a program. Absent: the build fails. */
  readonly onNoSnapshot?: (program: string, reason: string) => void
  /** True if the registry of the base has no TLS. Default: false. */
  readonly plainHttp?: boolean
  readonly environment?: NodeJS.ProcessEnv
}

/** Builds an image of each program on the base. Returns their digests by program. */
export const makeImages = async ({
  programs,
  bundles,
  layout: folder,
  platform,
  facts,
  onNoSnapshot,
  plainHttp = false,
  environment = process.env,
}: MakeImagesOptions): Promise<Readonly<Record<string, string>>> => {
  const scratch = `${folder}.scratch`
  for (const each of [folder, scratch]) await rm(each, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  const layout = openLayout(folder)
  try {
    await copyBase(layout, { base: facts.base, platform, environment, plainHttp }).catch(cause => {
      throw new Error(`cannot read the base image: ${messageOf(cause)}. Choose another one with --base`, {
        cause,
      })
    })
    const [node] = (await layout.readConfiguration('base')).config?.Entrypoint ?? []
    if (node === undefined)
      throw new Error(`the base image ${facts.base} has no entry point. Its entry point must be Node.js`)
    const root = join(scratch, 'base')
    const runsHere = platform === machinePlatform()
    if (runsHere) await unpackImage({ layout: folder, tag: 'base', into: root })
    const startNode = runsHere ? await nodeOfBase(root, node) : undefined
    const digests: Record<string, string> = {}
    for (const program of programs) {
      const bundle = join(bundles, program)
      digests[program] = await makeImage({
        ...{ layout, program, bundle, scratch, node, startNode, facts },
        ...(onNoSnapshot && { onNoSnapshot }),
      })
    }
    return digests
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The platform of this machine, in the format of images. */
export const machinePlatform = (): string =>
  `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`
