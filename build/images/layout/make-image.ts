import { cp, glob, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mainFile, startedFolder } from '../bundle/write-bundles.ts'
import { plainArgs, snapshotArgs, writeSnapshot } from '../bundle/write-snapshot.ts'
import { nodeFlagsOf } from '../node-flags.ts'
import { writeLayer } from './layer.ts'
import type { Regctl } from './regctl.ts'

/** The user of an image's process: distroless' nonroot. */
export const imageUser = 65532
export const programFolder = '/trellis'

/** Metadata for the annotations of images (https://github.com/opencontainers/image-spec/blob/main/annotations.md). */
export interface ImageFacts {
  readonly version: string
  /** The commit of the sources. Absent: unknown. */
  readonly revision?: string
  /** The URL of the sources. Absent: unknown. */
  readonly source?: string
  /** RFC 3339. The time of the sources, not of the build: the same sources give the same image. */
  readonly created: string
  /** Reference of the base with its digest. */
  readonly base: string
}

export interface MakeImageOptions {
  /** Folder of the OCI layout. The base has the tag `base`; the image is tagged with the name of its program. */
  readonly layout: string
  readonly program: string
  /** The program's folder of `dist/bundles`. */
  readonly bundle: string
  readonly scratch: string
  /** Path of Node in the image. */
  readonly node: string
  /**
   * Command that runs the base's Node on this machine. Absent: it cannot run here, and the image has no startup
   * snapshot.
   */
  readonly startNode: readonly string[] | undefined
  readonly facts: ImageFacts
}

/** Builds the image of a program on the base. Returns its digest. */
export const makeImage = async (regctl: Regctl, options: MakeImageOptions): Promise<string> => {
  const { layout, program, bundle, scratch, node, startNode, facts } = options
  const folder = join(scratch, program)
  const tar = join(scratch, `${program}.tar`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  await cp(bundle, folder, { recursive: true, verbatimSymlinks: true })
  if (startNode !== undefined)
    for await (const main of glob(`{,${startedFolder}/*/}${mainFile}`, { cwd: folder }))
      await writeSnapshot(dirname(join(folder, main)), startNode)
  await writeLayer({ from: folder, at: programFolder.slice(1), out: tar })

  const image = `ocidir://${layout}:${program}`
  const [baseName = '', baseDigest = ''] = facts.base.split('@')
  const flags = nodeFlagsOf(program)
  const args = startNode === undefined ? plainArgs(programFolder, flags) : snapshotArgs(programFolder, flags)
  const said = Object.entries(annotationsOf(program, facts))
  await regctl(
    ...['image', 'mod', `ocidir://${layout}:base`, '--create', image, '--to-oci'],
    ...['--layer-add', `tar=${tar}`],
    ...['--config-entrypoint', JSON.stringify([node, ...args]), '--config-cmd', ''],
    ...['--user', `${imageUser}:${imageUser}`, '--workdir', programFolder],
    ...said.flatMap(([name, value]) => ['--label', `${name}=${value}`, '--annotation', `${name}=${value}`]),
    ...['--annotation-base', `${baseName},${baseDigest}`, '--config-time', `set=${facts.created}`],
  )
  await Promise.all([rm(folder, { recursive: true }), rm(tar)])
  return regctl('image', 'digest', image)
}

const annotationsOf = (
  program: string,
  { version, revision, source, created }: ImageFacts,
): Readonly<Record<string, string>> => ({
  'org.opencontainers.image.title': program,
  'org.opencontainers.image.description': `Trellis: ${program}`,
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.created': created,
  'org.opencontainers.image.licenses': 'Apache-2.0',
  ...(revision === undefined ? {} : { 'org.opencontainers.image.revision': revision }),
  ...(source === undefined ? {} : { 'org.opencontainers.image.source': source }),
})
