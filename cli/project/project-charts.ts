import { parse } from 'yaml'
import { packageVersion } from '../../build/project/package-version.ts'
import { definitionsOf, type Project } from '../../build/project/project.ts'
import {
  admissionChartFiles,
  admissionCharts,
  type ChartFiles,
  chartArchive,
  chartFiles,
} from '../../knative/chart/chart.ts'

export interface ProjectChart {
  readonly name: string
  readonly version: string
  /** Its Chart.yaml, parsed. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** The bytes of the `.tgz`. */
  readonly archive: Uint8Array
}

/** Returns the chart of a project, and those of admission if it has webhooks or objects of the garden. */
export const projectCharts = async (project: Project): Promise<readonly ProjectChart[]> => {
  const { name, version } = project
  const definitions = await definitionsOf(project)
  const options = { ...definitions, name, version, libraryVersion: await packageVersion() }
  const own = await packed(name, version, await chartFiles(options))
  const admission = async (chart: keyof typeof admissionCharts) =>
    packed(admissionCharts[chart].name, version, await admissionChartFiles(options, chart))
  const hasWebhooks = definitions.webhooks.some(({ target }) => target === 'garden')
  return [
    own,
    ...(hasWebhooks ? [await admission('runtime')] : []),
    ...(hasWebhooks || definitions.gardenObjects.length > 0 ? [await admission('application')] : []),
  ]
}

const packed = async (name: string, version: string, files: ChartFiles): Promise<ProjectChart> => ({
  name,
  version,
  metadata: parse(files.get('Chart.yaml') ?? '') as ProjectChart['metadata'],
  archive: await chartArchive(files, name),
})
