import { bytesOf, type Descriptor, digestOf, mediaTypes } from '../layout/oci.ts'
import { openPushed, type PushAccess } from './open-pushed.ts'

/** https://helm.sh/docs/topics/registries/#helm-chart-manifest */
const chartTypes = {
  config: 'application/vnd.cncf.helm.config.v1+json',
  content: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
} as const

export interface PushChartOptions extends PushAccess {
  /** `registry.example.com/charts/acme:1.2.3` */
  readonly reference: string
  /** Its Chart.yaml, parsed. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array
}

/** Pushes a chart as `helm push` does. Returns its reference by digest. Rejects with a `RegistryError`. */
export const pushChart = async ({
  reference,
  metadata,
  archive,
  ...access
}: PushChartOptions): Promise<string> => {
  const { registry, host, repository, version } = await openPushed(reference, access)
  const write = async (bytes: Uint8Array, mediaType: string): Promise<Descriptor> => {
    const digest = digestOf(bytes)
    if (!(await registry.hasBlob(digest))) await registry.writeBlob(digest, bytes)
    return { mediaType, digest, size: bytes.length }
  }
  const manifest = bytesOf({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: await write(bytesOf(metadata), chartTypes.config),
    layers: [await write(archive, chartTypes.content)],
    annotations: {
      'org.opencontainers.image.title': metadata.name,
      'org.opencontainers.image.version': metadata.version,
      'org.opencontainers.image.description': metadata.description,
    },
  })
  await registry.writeManifest(version, manifest, mediaTypes.manifest)
  return `${host}/${repository}@${digestOf(manifest)}`
}
