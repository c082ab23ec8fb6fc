import { createHash } from 'node:crypto'

/** https://github.com/opencontainers/image-spec/blob/main/descriptor.md */
export interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
  readonly platform?: { readonly os: string; readonly architecture: string }
  readonly annotations?: Readonly<Record<string, string>>
}

/** https://github.com/opencontainers/image-spec/blob/main/manifest.md */
export interface ImageManifest {
  readonly schemaVersion: 2
  readonly mediaType: string
  readonly config: Descriptor
  readonly layers: readonly Descriptor[]
  readonly annotations?: Readonly<Record<string, string>>
}

/** https://github.com/opencontainers/image-spec/blob/main/image-index.md */
export interface ImageIndex {
  readonly schemaVersion: 2
  readonly mediaType: string
  readonly manifests: readonly Descriptor[]
}

/** The fields of an image's configuration that set the start command. */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly Labels?: Readonly<Record<string, string>>
}

/** https://github.com/opencontainers/image-spec/blob/main/config.md */
export interface ImageConfiguration {
  readonly architecture: string
  readonly os: string
  readonly created?: string
  readonly config?: ImageConfig
  readonly rootfs: { readonly type: 'layers'; readonly diff_ids: readonly string[] }
  readonly history?: readonly object[]
}

export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  dockerIndex: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
  dockerLayer: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
} as const

export const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** The bytes of a manifest or a configuration. */
export const bytesOf = (value: object): Uint8Array => Buffer.from(JSON.stringify(value))
