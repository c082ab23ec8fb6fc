import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bytesOf,
  type Descriptor,
  digestOf,
  type ImageConfiguration,
  type ImageIndex,
  type ImageManifest,
  mediaTypes,
} from './oci.ts'

/** A folder with images, https://github.com/opencontainers/image-spec/blob/main/image-layout.md. */
export interface Layout {
  readonly folder: string
  /** Returns the descriptor of an image by its tag or digest. */
  find(tagOrDigest: string): Promise<Descriptor | undefined>
  has(digest: string): boolean
  readBlob(digest: string): Promise<Uint8Array>
  readManifest(tag: string): Promise<ImageManifest>
  readConfiguration(tag: string): Promise<ImageConfiguration>
  /** Stores the bytes under their digest. */
  writeBlob(bytes: Uint8Array, mediaType: string): Promise<Descriptor>
  /** Adds an image to the index, or replaces the one with this tag. */
  tag(tag: string, descriptor: Descriptor): Promise<void>
}

const tagAnnotation = 'org.opencontainers.image.ref.name'

/** Opens a layout, which the first write creates. */
export const openLayout = (folder: string): Layout => {
  const index = join(folder, 'index.json')
  const pathOf = (digest: string): string => join(folder, 'blobs', ...digest.split(':'))
  const readIndex = async (): Promise<readonly Descriptor[]> =>
    existsSync(index) ? (JSON.parse(await readFile(index, 'utf8')) as ImageIndex).manifests : []
  const parsed = async <Value>(digest: string): Promise<Value> =>
    JSON.parse(String(await readFile(pathOf(digest)))) as Value
  const find = async (tagOrDigest: string): Promise<Descriptor | undefined> =>
    (await readIndex()).find(
      ({ digest, annotations }) => digest === tagOrDigest || annotations?.[tagAnnotation] === tagOrDigest,
    )
  const readManifest = async (tag: string): Promise<ImageManifest> => {
    const found = await find(tag)
    if (found === undefined) throw new Error(`${folder} has no image ${tag}`)
    return parsed(found.digest)
  }
  return {
    folder,
    find,
    has: digest => existsSync(pathOf(digest)),
    readBlob: digest => readFile(pathOf(digest)),
    readManifest,
    readConfiguration: async tag => parsed((await readManifest(tag)).config.digest),
    writeBlob: async (bytes, mediaType) => {
      const digest = digestOf(bytes)
      await mkdir(join(folder, 'blobs/sha256'), { recursive: true })
      await writeFile(pathOf(digest), bytes)
      return { mediaType, digest, size: bytes.length }
    },
    tag: async (tag, descriptor) => {
      const others = (await readIndex()).filter(({ annotations }) => annotations?.[tagAnnotation] !== tag)
      const manifests = [...others, { ...descriptor, annotations: { [tagAnnotation]: tag } }]
      await writeFile(join(folder, 'oci-layout'), bytesOf({ imageLayoutVersion: '1.0.0' }))
      await writeFile(index, bytesOf({ schemaVersion: 2, mediaType: mediaTypes.index, manifests }))
    },
  }
}
