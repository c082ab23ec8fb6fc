import { bytesOf, type Descriptor, digestOf, mediaTypes } from '../layout/oci.ts'
import { dockerCredentials } from '../registry/credentials.ts'
import { openRegistry } from '../registry/open-registry.ts'
import { parseReference } from '../registry/reference.ts'

/** https://helm.sh/docs/topics/registries/#helm-chart-manifest */
const chartTypes = {
  config: 'application/vnd.cncf.helm.config.v1+json',
  content: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
} as const

export interface PushChartOptions {
  /** `registry.example.com/charts/acme:1.2.3` */
  readonly reference: string
  /** Its Chart.yaml, parsed. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array
  readonly plainHttp?: boolean
  readonly environment?: NodeJS.ProcessEnv
}

/** Pushes a chart as `helm push` does. Returns its reference by digest. Rejects with a `RegistryError`. */
export const pushChart = async ({
  reference: about,
  metadata,
  archive,
  plainHttp = false,
  environment = process.env,
}: PushChartOptions): Promise<string> => {
  const reference = parseReference(about)
  if (reference?.kind !== 'registry') throw new Error(`${about} names no registry`)
  const { host, repository, version } = reference
  const credentials = await dockerCredentials(host, environment)
  const registry = openRegistry({ host, repository, action: 'push', plainHttp, credentials, about })
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
