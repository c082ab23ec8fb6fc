import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseDocument } from 'yaml'
import {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  type ChartFiles,
  chartArchive,
  chartFiles,
} from '../../../knative/chart/chart.ts'
import { pushChart } from '../../images/images.ts'
import { packageVersion } from '../../project/package-version.ts'
import { definitionsOf, type Project } from '../../project/project.ts'

export interface ReleaseChart {
  readonly name: string
  /** The file name of the archive. */
  readonly file: string
  readonly files: ChartFiles
}

/** Returns the charts of a version. Their default registry of images is that of the release. */
export const releaseCharts = async (project: Project, registry: string): Promise<readonly ReleaseChart[]> => {
  const { name: own, version } = project
  const options = {
    name: own,
    version,
    libraryVersion: await packageVersion(),
    ...(await definitionsOf(project)),
  }
  const admission = Object.keys(admissionCharts) as AdmissionChart[]
  const charts: readonly (readonly [string, ChartFiles])[] = [
    [own, await chartFiles(options)],
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

export interface PushedChart {
  readonly name: string
  /** `registry/charts/trellis@sha256:…`. */
  readonly reference: string
}

export interface PushChartsOptions {
  /** The folder with the archives. */
  readonly folder: string
  readonly registry: string
  readonly version: string
  readonly plainHttp: boolean
  readonly environment: NodeJS.ProcessEnv
}

/** Pushes the archives of a folder as `helm push` does, but without a time: the same chart has the same digest. */
export const pushCharts = async (
  charts: readonly ReleaseChart[],
  { folder, registry, version, plainHttp, environment }: PushChartsOptions,
): Promise<readonly PushedChart[]> => {
  const pushed: PushedChart[] = []
  for (const { name, file, files } of charts) {
    const reference = await pushChart({
      reference: `${registry}/charts/${name}:${version}`,
      metadata: parse(files.get('Chart.yaml') ?? ''),
      archive: await readFile(join(folder, file)),
      plainHttp,
      environment,
    })
    pushed.push({ name, reference })
  }
  return pushed
}
