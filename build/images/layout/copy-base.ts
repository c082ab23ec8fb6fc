import { dockerCredentials } from '../registry/credentials.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { parseReference } from '../registry/reference.ts'
import { bytesOf, type Descriptor, digestOf, type ImageIndex, type ImageManifest, mediaTypes } from './oci.ts'
import { type Layout, openLayout } from './open-layout.ts'

export interface CopyBaseOptions {
  /** Reference with a digest: in a registry, or `ocidir://<folder>@sha256:…`. */
  readonly base: string
  /** `os/architecture`, for a base with images of several platforms. */
  readonly platform: string
  readonly environment: NodeJS.ProcessEnv
  readonly plainHttp?: boolean
}

/** Copies the base image into a layout, with the tag `base`. Rejects with one line if it cannot be read. */
export const copyBase = async (
  layout: Layout,
  { base, platform, environment, plainHttp = false }: CopyBaseOptions,
): Promise<void> => {
  const { read, version } = await sourceOf(base, environment, plainHttp)
  const first = JSON.parse(String(Buffer.from(await read.manifest(version)))) as ImageManifest | ImageIndex
  const manifest = 'manifests' in first ? await ofPlatform(first) : first
  async function ofPlatform({ manifests }: ImageIndex): Promise<ImageManifest> {
    const found = manifests.find(one => `${one.platform?.os}/${one.platform?.architecture}` === platform)
    if (found === undefined) throw new Error(`the base image ${base} has no image for ${platform}`)
    return JSON.parse(String(Buffer.from(await read.manifest(found.digest)))) as ImageManifest
  }
  // Programs in Go write an empty list as null.
  const given: readonly Descriptor[] = manifest.layers ?? []
  for (const { digest, mediaType } of [manifest.config, ...given])
    if (!layout.has(digest)) await layout.writeBlob(await read.blob(digest), mediaType)
  // Docker's and OCI's formats have the same content.
  const layers = given.map(
    (layer): Descriptor => ({
      ...layer,
      mediaType: layer.mediaType === mediaTypes.dockerLayer ? mediaTypes.layer : layer.mediaType,
    }),
  )
  const copied: ImageManifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: { ...manifest.config, mediaType: mediaTypes.config },
    layers,
  }
  await layout.tag('base', await layout.writeBlob(bytesOf(copied), mediaTypes.manifest))
}

interface Source {
  readonly version: string
  readonly read: {
    readonly manifest: (version: string) => Promise<Uint8Array>
    readonly blob: (digest: string) => Promise<Uint8Array>
  }
}

const sourceOf = async (
  base: string,
  environment: NodeJS.ProcessEnv,
  plainHttp: boolean,
): Promise<Source> => {
  const reference = parseReference(base)
  if (reference === undefined)
    throw new Error(`the base image ${base} names no registry. Use <host>/<path>@sha256:…`)
  if (reference.kind === 'layout') {
    const { readBlob } = openLayout(reference.folder)
    const checked = async (digest: string): Promise<Uint8Array> => {
      const bytes = await readBlob(digest).catch(cause =>
        Promise.reject(new Error(`${reference.folder} has no ${digest}`, { cause })),
      )
      if (digestOf(bytes) !== digest) throw new Error(`${reference.folder}: ${digest} has another content`)
      return bytes
    }
    return { version: reference.version, read: { manifest: checked, blob: checked } }
  }
  const { host, repository, version } = reference
  const credentials = await dockerCredentials(host, environment)
  const registry = openRegistry({ host, repository, action: 'pull', plainHttp, credentials, about: base })
  return { version, read: { manifest: registry.readManifest, blob: registry.readBlob } }
}
