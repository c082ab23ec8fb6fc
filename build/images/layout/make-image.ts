import { existsSync } from 'node:fs'
import { cp, glob, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { mainFile, startedFolder } from '../bundle/write-bundles.ts'
import {
  plainArgs,
  snapshotArgs,
  snapshotFailure,
  snapshotFile,
  writeSnapshot,
} from '../bundle/write-snapshot.ts'
import { nodeFlagsOf } from '../node-flags.ts'
import { writeLayer } from './layer.ts'
import { bytesOf, digestOf, type ImageManifest, mediaTypes } from './oci.ts'
import type { Layout } from './open-layout.ts'

/** The user of an image's process: distroless' nonroot. */
export const imageUser = 65532
export const programFolder = '/trellis'

/** Metadata for the annotations of images (https://github.com/opencontainers/image-spec/blob/main/annotations.md). */
export interface ImageFacts {
  /** The name of the project. */
  readonly project: string
  readonly version: string
  /** An SPDX expression. Absent: unknown. */
  readonly license?: string
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
  /** The base has the tag `base`; the image is tagged with the name of its program. */
  readonly layout: Layout
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
  /** Called if Node cannot write the snapshot of a program. Absent: the build fails. */
  readonly onNoSnapshot?: (program: string, reason: string) => void
}

/** Builds the image of a program on the base. Returns its digest. */
export const makeImage = async (options: MakeImageOptions): Promise<string> => {
  const { layout, program, bundle, scratch, node, startNode, facts, onNoSnapshot } = options
  const folder = join(scratch, program)
  const tar = join(scratch, `${program}.tar`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(scratch, { recursive: true })
  await cp(bundle, folder, { recursive: true, verbatimSymlinks: true })
  if (startNode !== undefined)
    for await (const main of glob(`{,${startedFolder}/*/}${mainFile}`, { cwd: folder }))
      await writeSnapshot(dirname(join(folder, main)), startNode).catch(async error => {
        if (onNoSnapshot === undefined) throw error
        await rm(join(folder, dirname(main), snapshotFile), { force: true })
        onNoSnapshot(program, snapshotFailure(error))
      })
  await writeLayer({ from: folder, at: programFolder.slice(1), out: tar })

  const flags = nodeFlagsOf(program)
  const hasSnapshot = existsSync(join(folder, snapshotFile))
  const args = hasSnapshot ? snapshotArgs(programFolder, flags) : plainArgs(programFolder, flags)
  const digest = await writeImage(layout, {
    tag: program,
    layer: await readFile(tar),
    entrypoint: [node, ...args],
    facts,
  })
  await Promise.all([rm(folder, { recursive: true }), rm(tar)])
  return digest
}

interface WrittenImage {
  readonly tag: string
  /** The bytes of a tar file. */
  readonly layer: Uint8Array
  readonly entrypoint: readonly string[]
  readonly facts: ImageFacts
}

/** Adds an image to the layout: the base with one more layer. Returns its digest. */
const writeImage = async (
  layout: Layout,
  { tag, layer, entrypoint, facts }: WrittenImage,
): Promise<string> => {
  const base = await layout.readManifest('base')
  const { config: ofBase, rootfs, history = [], ...configuration } = await layout.readConfiguration('base')
  const { created } = facts
  const said = annotationsOf(tag, facts)
  const { Cmd: _, ...inherited } = ofBase ?? {}
  const added = await layout.writeBlob(await compressed(layer), mediaTypes.layer)
  const config = await layout.writeBlob(
    bytesOf({
      ...configuration,
      created,
      config: {
        ...inherited,
        Entrypoint: entrypoint,
        User: `${imageUser}:${imageUser}`,
        WorkingDir: programFolder,
        Labels: { ...inherited.Labels, ...said },
      },
      rootfs: { type: 'layers', diff_ids: [...rootfs.diff_ids, digestOf(layer)] },
      history: [...history, { created, created_by: `trellis image: ${tag}` }],
    }),
    mediaTypes.config,
  )
  const [baseName = '', baseDigest = ''] = facts.base.split('@')
  const manifest: ImageManifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config,
    layers: [...base.layers, added],
    annotations: {
      ...said,
      'org.opencontainers.image.base.name': baseName,
      'org.opencontainers.image.base.digest': baseDigest,
    },
  }
  const written = await layout.writeBlob(bytesOf(manifest), mediaTypes.manifest)
  await layout.tag(tag, written)
  return written.digest
}

/** The same bytes on every operating system: RFC 1952 has it in the tenth byte, where 255 means unknown. */
const compressed = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const zipped = await promisify(gzip)(bytes)
  zipped[9] = 255
  return zipped
}

const annotationsOf = (
  program: string,
  { project, version, license, revision, source, created }: ImageFacts,
): Readonly<Record<string, string>> => ({
  'org.opencontainers.image.title': program,
  'org.opencontainers.image.description': `${project}: ${program}`,
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.created': created,
  ...(license === undefined ? {} : { 'org.opencontainers.image.licenses': license }),
  ...(revision === undefined ? {} : { 'org.opencontainers.image.revision': revision }),
  ...(source === undefined ? {} : { 'org.opencontainers.image.source': source }),
})
