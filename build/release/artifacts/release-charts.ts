import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseDocument } from 'yaml'
import {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  type ChartFiles,
  chartArchive,
  chartFiles,
  chartName,
} from '../../../deploy/chart/chart.ts'
import { findFunctions } from '../../../functions/find-functions.ts'
import { findWebhooks } from '../../../functions/find-webhooks.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { type Regctl, registryProblem } from '../../images/images.ts'

export interface ReleaseChart {
  readonly name: string
  /** The file name of the archive. */
  readonly file: string
  readonly files: ChartFiles
}

/** Returns the charts of a version. Their default registry of images is that of the release. */
export const releaseCharts = async (version: string, registry: string): Promise<readonly ReleaseChart[]> => {
  const options = { version, functions: await findFunctions(), webhooks: await findWebhooks() }
  const admission = Object.keys(admissionCharts) as AdmissionChart[]
  const charts: readonly (readonly [string, ChartFiles])[] = [
    [chartName, await chartFiles(options)],
    ...(await Promise.all(
      admission.map(
        async chart => [admissionCharts[chart].name, await admissionChartFiles(options, chart)] as const,
      ),
    )),
  ]
  return charts.map(([name, files]) => ({
    name,
    file: `${name}-${version}.tgz`,
    files: withRegistry(files, registry),
  }))
}

const withRegistry = (files: ChartFiles, registry: string): ChartFiles => {
  const values = parseDocument(files.get('values.yaml') ?? '')
  if (!values.hasIn(['image', 'registry'])) return files
  values.setIn(['image', 'registry'], registry)
  return new Map([...files, ['values.yaml', values.toString({ lineWidth: 0 })]])
}

/** Writes the archives into a folder. */
export const writeCharts = async (charts: readonly ReleaseChart[], folder: string): Promise<void> => {
  for (const { name, file, files } of charts)
    await writeFile(join(folder, file), await chartArchive(files, name))
}

/** The media types of charts in registries (https://helm.sh/docs/topics/registries/#oci-support). */
const configType = 'application/vnd.cncf.helm.config.v1+json'
const archiveType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'

export interface PushedChart {
  readonly name: string
  /** `registry/charts/trellis@sha256:…`. */
  readonly reference: string
}

/** Pushes the archives of a folder as `helm push` does, but without a time: the same chart has the same digest. */
export const pushCharts = async (
  regctl: Regctl,
  charts: readonly ReleaseChart[],
  {
    folder,
    work,
    registry,
    version,
    created,
  }: {
    readonly folder: string
    readonly work: string
    readonly registry: string
    readonly version: string
    readonly created: string
  },
): Promise<readonly PushedChart[]> => {
  const pushed: PushedChart[] = []
  for (const { name, file, files } of charts) {
    const repository = `${registry}/charts/${name}`
    const config = join(work, `${name}.json`)
    const about: Readonly<Record<string, string>> = parse(files.get('Chart.yaml') ?? '')
    await writeFile(config, JSON.stringify(about))
    const annotations = {
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.description': about.description,
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.created': created,
    }
    await regctl(
      ...['artifact', 'put', '--config-type', configType, '--config-file', config],
      ...['--file-media-type', archiveType, '--file', join(folder, file)],
      ...Object.entries(annotations).flatMap(([key, value]) => ['--annotation', `${key}=${value}`]),
      `${repository}:${version}`,
    ).catch(cause => {
      throw new Error(registryProblem(`${repository}:${version}`, messageOf(cause)), { cause })
    })
    pushed.push({
      name,
      reference: `${repository}@${await regctl('image', 'digest', `${repository}:${version}`)}`,
    })
  }
  return pushed
}
