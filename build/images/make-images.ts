import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../shared/text/message-of.ts'
import { type ImageFacts, makeImage } from './layout/make-image.ts'
import { nodeOfBase } from './layout/node-of-base.ts'
import type { Regctl } from './layout/regctl.ts'
import { imageConfig, unpackImage } from './layout/unpack-image.ts'
import { registryProblem } from './push/registry-problem.ts'

export interface MakeImagesOptions {
  readonly programs: readonly string[]
  /** The folder with a subfolder of each program: `dist/bundles`. */
  readonly bundles: string
  /** The folder of the OCI layout with an image of each program, by its name. It is recreated. */
  readonly layout: string
  /** `os/architecture`. */
  readonly platform: string
  readonly facts: ImageFacts
}

/** Builds an image of each program on the base. Returns their digests by program. */
export const makeImages = async (
  regctl: Regctl,
  { programs, bundles, layout, platform, facts }: MakeImagesOptions,
): Promise<Readonly<Record<string, string>>> => {
  const scratch = `${layout}.scratch`
  for (const folder of [layout, scratch]) await rm(folder, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  try {
    await regctl('image', 'copy', '--platform', platform, facts.base, `ocidir://${layout}:base`).catch(
      cause => {
        const problem = registryProblem(facts.base, messageOf(cause))
        throw new Error(`cannot read the base image: ${problem}. Choose another one with --base`, { cause })
      },
    )
    const { Entrypoint: [node] = [] } = await imageConfig(regctl, `ocidir://${layout}:base`)
    if (node === undefined)
      throw new Error(`the base image ${facts.base} has no entry point. Its entry point must be Node.js`)
    const root = join(scratch, 'base')
    const runsHere = platform === machinePlatform()
    if (runsHere) await unpackImage(regctl, { layout, tag: 'base', into: root })
    const startNode = runsHere ? await nodeOfBase(root, node) : undefined
    const digests: Record<string, string> = {}
    for (const program of programs) {
      const bundle = join(bundles, program)
      digests[program] = await makeImage(regctl, { layout, program, bundle, scratch, node, startNode, facts })
    }
    return digests
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** The platform of this machine, in the format of images. */
export const machinePlatform = (): string =>
  `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`
